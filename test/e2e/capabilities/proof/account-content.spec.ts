import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { AccountHistoryService } from '../../../../src/capabilities/request-log/history/account-history.service.js';
import { importsOf, VECTORS } from '../../../support/content-vectors.js';
import { expectError } from '../../../support/expect-error.js';
import { runs } from '../../../support/runs.js';
import {
  canonical,
  sectionDigest,
  SENT_ACCOUNT,
  sha256,
  type SentItem,
} from '../../../support/sent-items.js';
import { unique, type AccountPair } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';

interface Section {
  readonly count: number;
  readonly digest: string;
  readonly amounts?: Record<string, string>;
  readonly row_digests?: readonly string[];
  readonly rows?: readonly { readonly digest: string; readonly content: Record<string, unknown> }[];
}

const SECTIONS = ['notes', 'transactions', 'historical_statements', 'payment_instructions'] as const;
type Content = Record<(typeof SECTIONS)[number], Section> & { readonly digest: string };

/** A row's line in an answer with rows. */
const ROW_LINE = /^\{"digest":"([0-9a-f]{64})","content":(.*)\},?$/s;

const service = setUp(sharedService);

const pathOf = ({ import_supplier: supplier, external_account_number: number }: AccountPair): string =>
  `account-content/${encodeURIComponent(supplier)}/${encodeURIComponent(number)}/`;

async function contentOf({ token }: { token: string }, ref: AccountPair, query = ''): Promise<Content> {
  const { status, body } = await service.get<Content>(pathOf(ref) + query, token);
  expect(status).toBe(200);
  return body;
}

/** The answer with rows: as JSON, and its row lines as digest and text. */
async function rowsOf(
  { token }: { token: string },
  ref: AccountPair,
): Promise<{ content: Content; lines: (readonly [digest: string, text: string])[] }> {
  const response = await fetch(`${service.baseUrl}/v1/data-import/${pathOf(ref)}?rows=true`, {
    headers: { authorization: `Token ${token}` },
  });
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  const lines = text.split('\n').flatMap((line) => {
    const [, digest, content] = ROW_LINE.exec(line) ?? [];
    return digest === undefined || content === undefined ? [] : [[digest, content] as const];
  });
  return { content: JSON.parse(text) as Content, lines };
}

async function send(token: string, path: string, payload: unknown): Promise<void> {
  const reply = await service.post(path, token, payload);
  expect({ path, body: reply.body, status: reply.status }).toMatchObject({ status: 201 });
}

describe('GET account-content/', () => {
  it('answers the rows of the published vectors byte by byte (V1, V3)', async () => {
    const { token, ref } = await service.given.importedAccount();
    // Two rows equal others, and one has the date-time of another's import.
    const rows = VECTORS.rows.filter(
      ({ name }) => !name.startsWith('pinned false') && !name.startsWith('an empty body'),
    );
    for (const { kind, sent } of rows) {
      for (const [path, payload] of importsOf(ref, { [kind]: [sent] })) await send(token, path, payload);
    }
    const { content, lines } = await rowsOf({ token }, ref);
    const expected = rows.map(({ digest, canonical: text }) => [digest, text]);
    expect(lines.toSorted()).toEqual(expected.toSorted());
    for (const name of SECTIONS) {
      const digests = content[name].rows!.map(({ digest }) => digest);
      expect(digests).toEqual(digests.toSorted());
      expect(digests).toHaveLength(content[name].count);
    }
  });

  it.each(VECTORS.rows.filter(({ name }) => name.includes('same as absent') || name.includes('is no body')))(
    'reads $kind back: $name (V3)',
    async ({ kind, sent, canonical: text, digest }) => {
      const { token, ref } = await service.given.importedAccount();
      for (const [path, payload] of importsOf(ref, { [kind]: [sent] })) await send(token, path, payload);
      expect((await rowsOf({ token }, ref)).lines).toEqual([[digest, text]]);
    },
  );

  it.each(VECTORS.numbers)(
    'writes the number $sent as $canonical (V3)',
    async ({ sent, canonical: text }) => {
      const { token, ref } = await service.given.importedAccount();
      const statement = `{"statement_id":"S","bill_period_from_date":"2025-01-01","bill_period_to_date":"2025-01-31","gross_amount":${sent}}`;
      await send(
        token,
        'historical-statements/create/',
        `${JSON.stringify(ref).slice(0, -1)},"statements":[${statement}]}`,
      );
      const { lines } = await rowsOf({ token }, ref);
      expect(lines[0]?.[1]).toContain(`"gross_amount":${text},`);
    },
  );

  it('has exactly the sent content, whatever it is (V1, V3, V4)', async () => {
    const world = await service.given.supplier();
    await fc.assert(
      fc.asyncProperty(SENT_ACCOUNT, fc.boolean(), async (account, isDoubled) => {
        const { ref } = await service.given.importedAccount({ world, to: '2026-03-31' });
        const sentOf = (items: readonly SentItem[]): object[] => items.map(({ sent }) => sent);
        const requests = importsOf(ref, {
          ...(account.notes.length > 0 && { notes: sentOf(account.notes) }),
          ...(account.transactions.length > 0 && { transactions: sentOf(account.transactions) }),
          ...(account.historical_statements.length > 0 && {
            historical_statements: sentOf(account.historical_statements),
          }),
          payment_instructions: sentOf(account.payment_instructions),
        });
        for (const [path, payload] of requests) await send(world.token, path, payload);
        // Repeats change nothing, unless transactions are added without a check.
        for (const [path, payload] of requests) {
          const isTransactions = path.startsWith('transactions');
          const query = isDoubled && isTransactions ? '?check_previously_added=false' : '';
          await send(world.token, path + query, payload);
        }
        const { content, lines } = await rowsOf(world, ref);
        const expected = Object.fromEntries(
          SECTIONS.map((name) => {
            const rows = account[name].map(({ row }) => row);
            return [name, isDoubled && name === 'transactions' ? [...rows, ...rows] : rows];
          }),
        ) as Record<(typeof SECTIONS)[number], object[]>;
        const texts = Object.values(expected).flat().map(canonical);
        expect(lines.map(([, text]) => text).toSorted()).toEqual(texts.toSorted());
        expect(lines.filter(([digest, text]) => sha256(text) !== digest)).toEqual([]);
        for (const name of SECTIONS) {
          expect(content[name]).toMatchObject({
            count: expected[name].length,
            digest: sectionDigest(expected[name]),
          });
        }
        expect(content.transactions.amounts).toEqual(sumsOf(expected.transactions));
        expect(content.digest).toBe(
          sha256(SECTIONS.map((name) => `${name} ${content[name].digest}\n`).join('')),
        );
        expect(await contentOf(world, ref)).toEqual(without('rows', content));
        const digested = await contentOf(world, ref, '?row_digests=true');
        for (const name of SECTIONS)
          expect(digested[name].row_digests).toEqual(content[name].rows!.map(({ digest }) => digest));
        expect(without('row_digests', digested)).toEqual(without('rows', content));
      }),
      { numRuns: runs(10) },
    );
  });

  it('has the counts, sums and digests of one snapshot while rows are added and removed (V1)', async () => {
    const { token, ref, supplier } = await service.given.importedAccount();
    let isOver = false;
    const change = async (): Promise<void> => {
      for (let round = 0; !isOver; round += 1) {
        const transactions = Array.from({ length: 50 }, (_, n) => ({
          transaction_id: `${round}-${n}`,
          transaction_date: '2026-02-03',
          amount: n + 0.01,
          type: n % 2 === 0 ? 'CHARGE' : 'CREDIT',
        }));
        await send(token, 'transactions/create/', { ...ref, transactions });
        await send(token, 'notes/create/', { ...ref, notes: [{ body: `round ${round}` }] });
        await service.database.sql(
          `DELETE FROM transaction t USING import_supplier s
            WHERE s.id = t.import_supplier_id AND s.code = $1 AND t.transaction_id LIKE $2`,
          [supplier, `${round - 3}-%`],
        );
      }
    };
    const changing = change();
    try {
      for (let reading = 0; reading < 15; reading += 1) {
        const { content } = await rowsOf({ token }, ref);
        for (const name of SECTIONS) {
          const rows = content[name].rows!.map((row) => row.content);
          expect(content[name]).toMatchObject({ count: rows.length, digest: sectionDigest(rows) });
        }
        const { rows = [], amounts } = content.transactions;
        expect(rows.length % 50).toBe(0);
        expect(amounts).toEqual(sumsOf(rows.map((row) => row.content)));
      }
    } finally {
      isOver = true;
      await changing;
    }
  });

  it('sends the rows of a large account in order, from a temporary file (V1)', async () => {
    const { token, ref, supplier } = await service.given.importedAccount();
    await service.database.sql(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id,
                                transaction_date, amount, type, note)
       SELECT s.id, $2, 'T-' || n, $3, '2026-02-03', n * 0.01, 'CHARGE', repeat('é', 100)
         FROM import_supplier s, generate_series(1, 12000) AS n
        WHERE s.code = $1`,
      [supplier, ref.external_account_number, randomUUID()],
    );
    const expected = Array.from({ length: 12_000 }, (_, n) => ({
      transaction_id: `T-${n + 1}`,
      transaction_date: '2026-02-03',
      amount: Number(`${n + 1}e-2`),
      type: 'CHARGE',
      note: 'é'.repeat(100),
    }));
    const { content, lines } = await rowsOf({ token }, ref);
    const digests = expected.map((row) => sha256(canonical(row)));
    expect(lines.map(([digest]) => digest)).toEqual(digests.toSorted());
    expect(new Set(lines.map(([, text]) => text))).toEqual(new Set(expected.map(canonical)));
    expect(content.transactions).toMatchObject({
      count: 12_000,
      digest: sectionDigest(expected),
      amounts: { CHARGE: '720060.00' },
    });
    const { transactions } = await contentOf({ token }, ref, '?row_digests=true');
    expect(transactions.row_digests).toEqual(digests.toSorted());
    const both = await contentOf({ token }, ref, '?row_digests=true&rows=true');
    expect(both.transactions).toEqual({ ...content.transactions, row_digests: digests.toSorted() });
  });

  it('is 404 for an account that is not imported, and for another organisation’s supplier (V1, A8)', async () => {
    const { token, ref } = await service.given.importedAccount();
    const pending = await service.given.stagedAccount();
    const other = await service.given.organisation();
    expectError(await service.get(pathOf(pending.ref), pending.token), 404, 'account_not_found');
    expectError(await service.get(pathOf(ref), other.token), 404, 'account_not_found');
    expectError(await service.get(`${pathOf(ref)}?rows=true`, other.token), 404, 'account_not_found');
    const unknown = { ...ref, import_supplier: unique('nobody') };
    expectError(await service.get(pathOf(unknown), token), 404, 'account_not_found');
    expectError(await service.get(pathOf(ref), 'nobody'), 401, 'authentication_failed');
    expect(await service.get(`${pathOf(ref)}?rows=perhaps`, token)).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'rows', code: 'invalid' }] },
    });
    expect(await service.get(`${pathOf(ref)}?row_digests=perhaps`, token)).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'row_digests', code: 'invalid' }] },
    });
    expectError(await service.get(`${pathOf(ref)}?row_digests=true`, other.token), 404, 'account_not_found');
  });

  it('counts readings of rows by the hour, without client texts, and not in the history (V1, O6)', async () => {
    const { token, ref, apiKeyId } = await service.given.importedAccount();
    await contentOf({ token }, ref);
    await contentOf({ token }, ref, '?row_digests=true');
    await rowsOf({ token }, ref);
    await rowsOf({ token }, ref);
    const entries = await service.database.sql(
      `SELECT viewer, action, import_supplier, sum(count)::integer AS count
         FROM viewed WHERE external_account_number = $1 GROUP BY viewer, action, import_supplier`,
      [ref.external_account_number],
    );
    const subject = ref.external_account_number;
    const { import_supplier } = ref;
    expect(entries).toEqual([
      { viewer: `api key ${apiKeyId}`, action: 'account.rows', import_supplier, count: 2 },
    ]);
    const changes = await service.database.sql('SELECT FROM audit_entry WHERE external_account_number = $1', [
      subject,
    ]);
    expect(changes).toEqual([]);
    const events: unknown[] = [];
    const account = { importSupplier: ref.import_supplier, externalAccountNumber: subject };
    const history = await service.app.get(AccountHistoryService, { strict: false }).history(account);
    for await (const event of history) events.push(event);
    expect(JSON.stringify(events)).not.toContain('account.rows');
  });
});

/** The same answer without a member of its sections. */
function without(member: 'rows' | 'row_digests', content: Content): unknown {
  return JSON.parse(JSON.stringify(content, (name, value: unknown) => (name === member ? undefined : value)));
}

/** Exact sums by type, as text with two decimals. */
function sumsOf(transactions: readonly object[]): Record<string, string> {
  const sums = new Map<string, bigint>();
  for (const { type, amount } of transactions as readonly { type: string; amount: number }[]) {
    const [whole = '', hundredths = ''] = amount.toFixed(2).split('.');
    sums.set(type, (sums.get(type) ?? 0n) + BigInt(whole + hundredths));
  }
  return Object.fromEntries(
    [...sums].map(([type, sum]) => {
      const digits = String(sum < 0n ? -sum : sum).padStart(3, '0');
      return [type, `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`];
    }),
  );
}
