import { randomUUID } from 'node:crypto';
import { ProofRepository } from '../../../../src/capabilities/proof/proof.repository.js';
import { expectError } from '../../../support/expect-error.js';
import { importsOf, VECTORS } from '../../../support/content-vectors.js';
import { sha256 } from '../../../support/sent-items.js';
import { memoryLog } from '../../../support/memory-log.js';
import { namelessFiles } from '../../../support/nameless-files.js';
import { startService, unique, type Reply, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const { jest } = import.meta;

interface Content {
  readonly external_account_number: string;
  readonly service_account_number: string;
  readonly transactions: {
    readonly count: number;
    readonly digest: string;
    readonly amounts: Record<string, string>;
    readonly row_digests?: readonly string[];
  };
  readonly digest: string;
}

/** The error of a connection that ends before the answer does. */
const BROKEN_OFF = /^(terminated|fetch failed)$/;

describe('GET account-contents/', () => {
  const log = memoryLog();
  const service = setUp(() => startService({}, { logger: log.logger }));

  const list = ({ supplier, token }: World, query = ''): Promise<Reply<Content[]>> =>
    service.get<Content[]>(`account-contents/${encodeURIComponent(supplier)}/${query}`, token);
  const numbers = (contents: readonly Content[]): string[] =>
    contents.map(({ external_account_number: number }) => number);

  /** Create imported accounts 1001, 1002, …, each with `transactions` transactions. */
  async function accounts(world: World, count: number, transactions: number): Promise<void> {
    await service.database.imports(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       SELECT s.id, (1000 + n)::text, 'imported', next_service_account_number(), now(), date '2026-01-01'
         FROM import_supplier s, generate_series(1, $2::integer) AS n
        WHERE s.code = $1`,
      [world.supplier, count],
    );
    await service.database.sql(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id,
                                transaction_date, amount, type)
       SELECT s.id, (1000 + n)::text, t::text, $4, '2026-02-03', n + t * 0.01, 'CHARGE'
         FROM import_supplier s, generate_series(1, $2::integer) AS n, generate_series(1, $3::integer) AS t
        WHERE s.code = $1`,
      [world.supplier, count, transactions, randomUUID()],
    );
  }

  it('has the answer for each imported account, in the order of the lists (V2, V4, V5, S5)', async () => {
    const world = await service.given.supplier();
    for (const { external_account_number: number, sent } of VECTORS.accounts) {
      const { ref } = await service.given.importedAccount({ world, number });
      for (const [path, payload] of importsOf(ref, sent)) {
        expect(await service.post(path, world.token, payload)).toMatchObject({ status: 201 });
      }
    }
    await service.given.stagedAccount(world, '2002');
    const { body } = await list(world);
    expect(body).toMatchObject(
      VECTORS.accounts.map(({ external_account_number, notes, digest }) => ({
        external_account_number,
        notes,
        digest,
      })),
    );
    for (const account of body) {
      const address = `account-content/${world.supplier}/${encodeURIComponent(account.external_account_number)}/`;
      expect((await service.get(address, world.token)).body).toEqual(account);
    }
    const lines = body.map(
      ({ external_account_number: number, digest }) => `${JSON.stringify(number)} ${digest}\n`,
    );
    expect(sha256(lines.join(''))).toBe(VECTORS.supplier.digest);
  });

  /** The pages of a list, as their Link headers connect them. */
  async function pagesOf({ supplier, token }: World, query: string): Promise<Content[][]> {
    const pages: Content[][] = [];
    let address: string | undefined = `account-contents/${supplier}/?${query}`;
    while (address !== undefined) {
      const page: Reply<Content[]> = await service.get<Content[]>(address, token);
      pages.push(page.body);
      address = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    return pages;
  }

  it('is streamed in chunks, and the same in pages (V2, S5)', async () => {
    const world = await service.given.supplier();
    await accounts(world, 1_500, 5);
    const { body: whole, headers } = await list(world);
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('link')).toBeNull();
    expect(numbers(whole)).toEqual(Array.from({ length: 1_500 }, (_, n) => String(1_001 + n)));
    expect(whole[41]).toMatchObject({ transactions: { count: 5, amounts: { CHARGE: '210.15' } } });
    expect(new Set(whole.map(({ transactions }) => transactions.count))).toEqual(new Set([5]));
    for (const limit of [700, 1_500, 10_000]) {
      const pages = await pagesOf(world, `limit=${limit}`);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
      expect(pages.flat()).toEqual(whole);
    }
    expect((await list(world, '?after=2499')).body).toEqual(whole.slice(-1));
    expect((await list(world, '?after=2500')).body).toEqual([]);
    expect((await list(world, '?after=2500&limit=1')).body).toEqual([]);
  });

  /** Expect that the row digests are present and in order, and the rest is the same as without them. */
  function expectRowDigests(digested: readonly Content[], whole: readonly Content[]): void {
    for (const { transactions } of digested) {
      const { row_digests: digests = [] } = transactions;
      expect(digests).toEqual(digests.toSorted());
      expect(sha256(digests.map((digest) => `${digest}\n`).join(''))).toBe(transactions.digest);
      expect(digests).toHaveLength(transactions.count);
    }
    const others = JSON.stringify(digested, (name, value: unknown) =>
      name === 'row_digests' ? undefined : value,
    );
    expect(JSON.parse(others)).toEqual(whole);
  }

  it('has the row digests of each account on request, in pages too (V2)', async () => {
    const world = await service.given.supplier();
    await accounts(world, 700, 5);
    const { body: whole } = await list(world);
    expectRowDigests((await list(world, '?row_digests=true')).body, whole);
    expectRowDigests((await pagesOf(world, 'row_digests=true&limit=300')).flat(), whole);
    const views = await service.database.sql('SELECT FROM viewed WHERE import_supplier = $1', [
      world.supplier,
    ]);
    expect(views).toEqual([]);
  });

  it('reads accounts of any size, keeps their digests in files while sending, and leaves no file (V2)', async () => {
    const world = await service.given.supplier();
    await accounts(world, 3, 30_000);
    const { body: whole } = await list(world);
    expect(whole.map(({ transactions }) => transactions.count)).toEqual([30_000, 30_000, 30_000]);
    const before = namelessFiles();
    const address = `${service.baseUrl}/v1/data-import/account-contents/${world.supplier}/?row_digests=true`;
    const headers = { authorization: `Token ${world.token}` };
    const answer = await fetch(address, { headers });
    expect(namelessFiles()).toBeGreaterThan(before);
    expectRowDigests((await answer.json()) as Content[], whole);
    await waitUntil('the files are removed', () => namelessFiles() === before);
    const leaving = new AbortController();
    const left = await fetch(address, { headers, signal: leaving.signal });
    await left.body!.getReader().read();
    leaving.abort();
    await waitUntil('the files are removed', () => namelessFiles() === before);
  });

  it('is empty for a supplier without imported accounts, and 404 for any other (V2, A8)', async () => {
    const world: World = await service.given.stagedAccount();
    const other = await service.given.organisation();
    for (const query of ['', '?limit=10']) {
      expect(await list(world, query)).toMatchObject({ status: 200, body: [] });
      expectError(await list({ ...world, ...other }, query), 404, 'not_found');
      expectError(await list({ ...world, supplier: unique('nobody') }, query), 404, 'not_found');
    }
  });

  it('breaks off when the grant is revoked while the list is being sent (V2, A8)', async () => {
    const world = await service.given.supplier();
    await accounts(world, 1_000, 1);
    const repository = service.app.get(ProofRepository, { strict: false });
    const rows = repository.rows.bind(repository);
    jest.spyOn(repository, 'rows').mockImplementation(async function* (tx, id, range) {
      if (range.after !== '') {
        await service.database.sql(
          'DELETE FROM import_supplier_grant g USING import_supplier s WHERE s.id = g.import_supplier_id AND s.code = $1',
          [world.supplier],
        );
      }
      yield* rows(tx, id, range);
    });
    await expect(list(world)).rejects.toThrow(BROKEN_OFF);
    await waitUntil('the end is logged', () => log.text().includes('aborted by the service'));
  });

  it('holds no connection while a client reads slowly (V2)', async () => {
    const world = await service.given.supplier();
    await accounts(world, 20_000, 0);
    const slow = await fetch(`${service.baseUrl}/v1/data-import/account-contents/${world.supplier}/`, {
      headers: { authorization: `Token ${world.token}` },
    });
    await waitUntil('no query runs', async () => {
      const running = await service.database.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
      );
      return running.length === 0;
    });
    expect(JSON.parse(await slow.text())).toHaveLength(20_000);
  });
});
