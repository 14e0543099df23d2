import { PLACES } from '../../src/apps/console/common/addresses.js';
import { SessionsService } from '../../src/apps/console/signed-in/sessions.service.js';
import { signInAsOperator, type ConsoleClient, adminOf } from '../support/console.js';
import { waitUntil } from '../support/wait-until.js';
import { unique, type AccountPair, type TestService } from '../support/service.js';

/** The data that the screens show. */
export interface ScreensWorld {
  readonly operator: ConsoleClient;
  readonly admin: ConsoleClient;
  /** The code of an unused sign-in link. */
  readonly code: string;
  /** Code of the supplier granted to the admin's organisation. */
  readonly supplier: string;
  /** Number of one of its imported accounts. */
  readonly account: string;
  /** Id of a refused request. */
  readonly refused: string;
  /** Cause of the refusal. */
  readonly cause: string;
}

export interface Screen {
  readonly name: string;
  /** Who is signed in; nobody by default. */
  readonly as?: 'operator' | 'admin';
  readonly path: (world: ScreensWorld) => string;
  /** Status of the answer; 200 by default. */
  readonly status?: number;
}

/** The number of an account without items. */
const EMPTY = 'a'.repeat(128);

function accountOf(supplier: string, number: string): string {
  return `/console/suppliers/${supplier}/accounts/${number}`;
}

/** Every screen; each is tested in both colour schemes, on a phone, a tablet and a desktop. */
export const SCREENS: readonly Screen[] = [
  { name: 'the sign-in', path: () => '/console/sign-in' },
  { name: 'a sign-in link', path: ({ code }) => `/console/sign-in/${code}` },
  ...PLACES.map(([name, { address }]): Screen => ({
    name: `the page ${name} of the navigation`,
    as: 'operator',
    path: () => address,
  })),
  { name: 'the overview of an admin', as: 'admin', path: () => '/console/' },
  { name: 'a supplier', as: 'operator', path: ({ supplier }) => `/console/suppliers/${supplier}` },
  {
    name: 'the settings of a supplier',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/settings`,
  },
  {
    name: 'the activity of a supplier',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/activity`,
  },
  {
    name: 'the views of a supplier',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/activity?show=views`,
  },
  {
    name: 'completing a supplier',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/complete`,
  },
  {
    name: 'an account',
    as: 'admin',
    path: ({ supplier, account }) => accountOf(supplier, account),
  },
  { name: 'an account without anything', as: 'operator', path: ({ supplier }) => accountOf(supplier, EMPTY) },
  {
    name: 'the accounts of a supplier',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/accounts`,
  },
  { name: 'failures', as: 'operator', path: ({ supplier }) => `/console/suppliers/${supplier}/failures` },
  {
    name: 'the documents that nobody has looked for',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/documents?state=not_looked_up`,
  },
  {
    name: 'the missing documents',
    as: 'admin',
    path: ({ supplier }) => `/console/suppliers/${supplier}/documents`,
  },
  {
    name: 'a cause of failures',
    as: 'operator',
    path: ({ supplier, cause }) =>
      `/console/suppliers/${supplier}/failures/cause?source=refusals&cause=${cause}`,
  },
  {
    name: 'the question before a retry',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/failures/retry?cause=${LONG}`,
  },
  {
    name: 'the accounts that differ',
    as: 'operator',
    path: ({ supplier }) => `/console/suppliers/${supplier}/differences`,
  },
  {
    name: 'the search of transactions',
    as: 'operator',
    path: () => '/console/search/items?q=nothing',
  },
  {
    name: 'the requests that match',
    as: 'admin',
    path: () => '/console/requests?outcome=refused&from=2026-01-01T00:00',
  },
  { name: 'a request', as: 'operator', path: ({ refused }) => `/console/requests/${refused}` },
  { name: 'a search', as: 'operator', path: () => '/console/search?q=a' },
  { name: 'a search without a hit', as: 'admin', path: () => '/console/search?q=nothing' },
  { name: 'a page that does not exist', as: 'admin', path: () => '/console/no-page', status: 404 },
  { name: 'a guide', path: () => '/docs/guides/platform/' },
  { name: 'the mapping file', path: () => '/docs/loader/mapping/' },
  { name: 'the loader', path: () => '/docs/loader/' },
  { name: 'the reference of the feed', path: () => '/docs/feed/' },
];

const PDF = { document_path: `${'d'.repeat(100)}.pdf` };

/** A name of maximum length, without a place to break. */
const LONG = 'W'.repeat(128);

/** Fill a service with data for the screens: long names, an account with data, and one without. */
export async function fillForScreens(service: TestService): Promise<ScreensWorld> {
  const world = await service.given.supplier({ name: LONG });
  const { ref } = await service.given.importedAccount({ world });
  await service.given.importedAccount({ world, number: EMPTY });
  const refused = await load(service, world.token, ref);
  await service.database.sql(
    `INSERT INTO account_control (import_supplier_id, external_account_number, notes, transactions, amount, state)
     SELECT a.import_supplier_id, a.external_account_number, 1, 10, 123456789012345678.90, 'incomplete'
       FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id WHERE s.code = $1`,
    [world.supplier],
  );
  await service.database.sql(
    `INSERT INTO supplier_total AS t (import_supplier_id, are_controls_stale)
     SELECT id, true FROM import_supplier WHERE code = $1
         ON CONFLICT (import_supplier_id) DO UPDATE SET are_controls_stale = true`,
    [world.supplier],
  );
  await service.database.sql('UPDATE organisation SET name = $2 WHERE id = $1', [
    world.organisationId,
    unique('O'.repeat(100)),
  ]);
  const sessions = service.app.get(SessionsService, { strict: false });
  return {
    operator: await signInAsOperator(service, LONG),
    admin: await adminOf(service, world),
    code: (await sessions.makeLink('operator', 'operator')).code,
    supplier: world.supplier,
    account: ref.external_account_number,
    ...{ refused, cause: await failures(service, world.supplier) },
  };
}

/** Create an account whose import has failed with a long sentence. @returns the cause of the refused request */
async function failures(service: TestService, supplier: string): Promise<string> {
  const [row] = await service.database.sql<{ cause: string }>(
    `WITH failed AS (
       INSERT INTO account_import (import_supplier_id, external_account_number, status, failure, failed_at)
       SELECT s.id, 'failed', 'failed', $2, now() FROM import_supplier s WHERE s.code = $1
     )
     SELECT r.cause::text AS cause FROM import_refusal r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1`,
    [supplier, LONG],
  );
  return row!.cause;
}

/** Load one item of every kind onto an account, and send a request that is refused. @returns the id of the refused request */
async function load(service: TestService, token: string, ref: AccountPair): Promise<string> {
  let refused = '';
  const amounts = { type: 'PAYMENT', amount: 55.26, reference: LONG };
  const bodies: Record<string, object> = {
    notes: {
      notes: [
        { body: `${LONG} <b>bold</b>`, is_pinned: true },
        { body: 'Second', document_paths: [PDF] },
      ],
    },
    transactions: { transactions: [{ transaction_id: LONG, transaction_date: '2026-02-01', ...amounts }] },
    'payment-instruction': { vendor: 'SANDBOX', reference: 'ok_1', type: 'CARD' },
    'historical-statements': { statements: [{ statement_id: LONG }] },
  };
  for (const [kind, body] of Object.entries(bodies)) {
    const {
      status,
      headers,
      body: answer,
    } = await service.post(`${kind}/create/`, token, { ...ref, ...body });
    const isRefused = kind === 'historical-statements';
    if (isRefused !== (status === 400)) throw new Error(`${kind}: ${status} ${JSON.stringify(answer)}`);
    if (isRefused) refused = headers.get('x-request-id')!;
  }
  await waitUntil('the refusal is recorded', async () => {
    const rows = await service.database.sql('SELECT FROM import_refusal WHERE request_id = $1', [refused]);
    return rows.length > 0;
  });
  return refused;
}
