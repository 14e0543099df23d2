import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { readStagingFile } from '../accounts/staging/staging-file.js';
import { ImportingService } from '../accounts/importing/importing.service.js';
import { StagingService } from '../accounts/staging/staging.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { OrganisationsService, type OrganisationSummary } from '../auth/organisations.service.js';
import { createContext } from '../cli/operator.module.js';
import { Clock } from '../common/clock.js';
import type { AppOptions } from '../http/create-app.js';
import type { Serving } from '../http/serve.js';
import { ImportSuppliersService, type Supplier } from '../import-suppliers/import-suppliers.service.js';

const ORGANISATION = 'Demo Energy';
const SUPPLIER = 'DEMO';

/** Recorded with everything that {@link createDemonstration} does. */
const OPERATOR = 'demonstration';

/** The accounts that are imported, and the one that stays pending. */
const ACCOUNTS = ['1001', '1002', '1003', '1004'];
const PENDING_ACCOUNT = '1005';

/**
 * Create the demonstration in an empty embedded database and print the commands to try it with. A failure is logged only,
 * because the service has other callers.
 */
export async function offerDemonstration(
  { url, app }: Pick<Serving, 'url' | 'app'>,
  options: AppOptions,
  say: (sentence: string) => void,
): Promise<void> {
  try {
    const context = app ?? (await createContext(options));
    try {
      const steps = await createDemonstration(context, url);
      if (steps !== undefined) say(steps);
    } finally {
      if (context !== app) await context.close();
    }
  } catch (error) {
    options.logger.warn({ err: error }, 'the demonstration is not finished; the next start tries again');
  }
}

/**
 * Create the demonstration: an organisation with a key, the supplier DEMO, and a few accounts.
 *
 * Every step can be repeated, and the key is created last: a demonstration without a key was interrupted, and the next
 * call finishes it.
 *
 * @param baseUrl the service's address
 * @returns the commands to paste, step by step; undefined when the database holds anything else
 * Source: choices, section 6.
 */
export async function createDemonstration(
  app: INestApplicationContext,
  baseUrl: string,
): Promise<string | undefined> {
  const organisations = app.get(OrganisationsService, { strict: false });
  const suppliers = app.get(ImportSuppliersService, { strict: false });
  const keys = app.get(ApiKeysService, { strict: false });
  const [existing, existingSuppliers] = [await organisations.list(), await suppliers.list()];
  if (!existing.every(isDemonstration) || !existingSuppliers.every(isDemonstrationSupplier)) return undefined;
  const { id } = existing[0] ?? (await organisations.create(ORGANISATION, OPERATOR));
  if ((await keys.list(id)).length > 0) return undefined;
  if (existingSuppliers.length === 0) {
    const supplier = { code: SUPPLIER, name: 'Demonstration supplier', organisations: [id] };
    await suppliers.create(supplier, OPERATOR);
  }
  const importing = app.get(ImportingService, { strict: false });
  const interrupted = new AbortController().signal;
  // No more than these: the pending account, whose number is the last one, may be staged already.
  const limit = await stage(app, ACCOUNTS);
  await importing.import(SUPPLIER, {
    operator: OPERATOR,
    limit,
    concurrency: 1,
    interrupted,
    onProgress: () => undefined,
  });
  await stage(app, [PENDING_ACCOUNT]);
  const today = app.get(Clock, { strict: false }).today();
  const { key } = await keys.issue(id, { label: 'demonstration' }, OPERATOR);
  return steps(baseUrl, key, today);
}

function isDemonstration({ name }: OrganisationSummary): boolean {
  return name === ORGANISATION;
}

/** An operator may have created a supplier of the same code. */
function isDemonstrationSupplier({ code, organisations }: Supplier): boolean {
  return code === SUPPLIER && organisations.includes(ORGANISATION);
}

/** @returns how many of them are pending now */
async function stage(app: INestApplicationContext, numbers: readonly string[]): Promise<number> {
  const lines = numbers.map((number) => JSON.stringify({ external_account_number: number }));
  const readings = readStagingFile('ndjson', Readable.from([Buffer.from(lines.join('\n'))]));
  const { staged, replaced, badLines } = await app
    .get(StagingService, { strict: false })
    .stage(SUPPLIER, readings, { operator: OPERATOR, interrupted: new AbortController().signal });
  badLines.dispose();
  return staged + replaced;
}

/** @param today the platform's current day: every open statement period without an end includes it (choice S6) */
function steps(baseUrl: string, key: string, today: string): string {
  const [account = ''] = ACCOUNTS;
  const ref = `"import_supplier": "${SUPPLIER}", "external_account_number": "${account}"`;
  return `
The database was empty, so a demonstration was created: the organisation "${ORGANISATION}", the import supplier
${SUPPLIER}, the imported accounts ${ACCOUNTS.join(', ')} and the pending account ${PENDING_ACCOUNT}. Its API key is shown only once,
in the first command. Paste the commands into another terminal, one after another.

# 1. Exchange the API key for a token.
TOKEN=$(curl -s ${baseUrl}/v1/graphql/ -H 'Content-Type: application/json' -d '{"query": "mutation { obtainServiceToken(input: {apiKey: \\"${key}\\"}) { token } }"}' | node -pe 'JSON.parse(require("fs").readFileSync(0)).data.obtainServiceToken.token'); echo "$TOKEN"

# 2. Attach a note to an account.
curl -s ${baseUrl}/v1/data-import/notes/create/ -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' -d '{${ref}, "notes": [{"body": "Meter in the cellar"}]}'; echo

# 3. Book a transaction, to the cent.
curl -s ${baseUrl}/v1/data-import/transactions/create/ -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' -d '{${ref}, "transactions": [{"transaction_id": "t-1", "transaction_date": "${today}", "amount": 12.5, "type": "CHARGE", "reason": "IMPORTED_CHARGE"}]}'; echo

# 4. Read the status of the account, and list all accounts.
curl -s ${baseUrl}/v1/data-import/account-transfer-status/${SUPPLIER}/${account}/ -H "Authorization: Token $TOKEN"; echo
curl -s ${baseUrl}/v1/data-import/all-account-import-processes/${SUPPLIER}/ -H "Authorization: Token $TOKEN"; echo
`;
}
