import { AccountsRepository } from '../../../src/accounts/status/accounts.repository.js';
import { expectError, expectInvalid } from '../../support/expect-error.js';
import { memoryLog } from '../../support/memory-log.js';
import { startService, unique, type Reply, type World } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';

const { jest } = import.meta;

interface Process {
  external_account_number: string;
  service_account_number: string | null;
  account_created_at: string | null;
}

/** The error of a connection that ends before the answer does, or before any compressed byte. */
const BROKEN_OFF = /^(terminated|fetch failed)$/;

const LISTS = ['all', 'pending', 'imported'] as const;

describe('GET …-account-import-processes/', () => {
  const log = memoryLog();
  const service = setUp(() => startService({}, { logger: log.logger }));
  const list = (
    which: (typeof LISTS)[number],
    world: World,
    query = '',
  ): ReturnType<typeof service.get<Process[]>> =>
    service.get<Process[]>(
      `${which}-account-import-processes/${encodeURIComponent(world.supplier)}/${query}`,
      world.token,
    );
  const numbers = (processes: Process[]): string[] => processes.map((one) => one.external_account_number);

  /** Stage accounts with numbers computed by SQL from `n`, and import those that meet a condition. */
  async function stage(world: World, count: number, number: string, imported = 'false'): Promise<void> {
    await service.database.imports(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       SELECT s.id, ${number}, CASE WHEN ${imported} THEN 'imported' ELSE 'pending' END,
              CASE WHEN ${imported} THEN next_service_account_number() END,
              CASE WHEN ${imported} THEN timestamptz '2026-03-04 05:06:07.89+00' END, date '2026-01-01'
         FROM import_supplier s, generate_series(1, $2::integer) AS n
        WHERE s.code = $1`,
      [world.supplier, count],
    );
  }

  /** Run an action when the first chunk of a list has been sent and the next one is queried. */
  function beforeGoingOn(act: () => Promise<unknown>): void {
    const repository = service.app.get(AccountsRepository, { strict: false });
    const listChunk = repository.listChunk.bind(repository);
    jest.spyOn(repository, 'listChunk').mockImplementation(async (tx, request) => {
      if (!request.isFirst) await act();
      return listChunk(tx, request);
    });
  }

  async function revoke({ supplier, organisationId }: World): Promise<void> {
    await service.database.sql(
      `DELETE FROM import_supplier_grant g USING import_supplier s
        WHERE s.id = g.import_supplier_id AND s.code = $1 AND g.organisation_id = $2`,
      [supplier, organisationId],
    );
  }

  it('lists pending accounts with nulls and imported ones with both fields (4.6 to 4.8, S5)', async () => {
    const world = await service.given.supplier();
    await stage(world, 4, `'n' || n`, 'n > 2');
    const pending = ['n1', 'n2'].map((number) => ({
      external_account_number: number,
      service_account_number: null,
      account_created_at: null,
    }));
    const imported = ['n3', 'n4'].map((number) => ({
      external_account_number: number,
      service_account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/) as string,
      account_created_at: '2026-03-04T05:06:07Z',
    }));
    expect((await list('all', world)).body).toEqual([...pending, ...imported]);
    expect((await list('pending', world)).body).toEqual(pending);
    expect((await list('imported', world)).body).toEqual(imported);
  });

  it('counts a failed account among those that have no platform account yet (3.3)', async () => {
    const world = await service.given.supplier();
    await stage(world, 1, `'failed'`);
    await service.database.sql(
      `UPDATE account_import a SET status = 'failed', failure = 'A reason.'
         FROM import_supplier s WHERE s.id = a.import_supplier_id AND s.code = $1`,
      [world.supplier],
    );
    expect((await list('pending', world)).body).toHaveLength(1);
    expect((await list('imported', world)).body).toHaveLength(0);
  });

  it.each(LISTS)('answers an empty %s list for a supplier without accounts (4.9, S5)', async (which) => {
    const world = await service.given.supplier();
    const reply = await list(which, world);
    expect(reply).toMatchObject({ status: 200, body: [] });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each(LISTS)(
    'answers the %s list of another organisation’s supplier as one that does not exist (A8)',
    async (which) => {
      const mine = await service.given.supplier();
      const others = await service.given.supplier();
      const reply = await list(which, { ...mine, supplier: others.supplier });
      expectError(reply, 404, 'not_found', []);
      expect(reply.body).toEqual((await list(which, { ...mine, supplier: unique('none') })).body);
    },
  );

  it('orders by account number, byte by byte (S5)', async () => {
    const world = await service.given.supplier();
    const sent = ['a b', ...'b a B ä 10 9 a/b "quoted" \\ é e\u0301 😀 \uffee'.split(' ')];
    for (const number of sent) await stage(world, 1, `'${number}'`);
    const bytewise = sent.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    expect(numbers((await list('all', world)).body)).toEqual(bytewise);
  });

  it('sends a long list completely and in order, in several chunks (S5)', async () => {
    const world = await service.given.supplier();
    await stage(world, 25_000, `lpad(n::text, 8, '0')`, 'n % 3 = 0');
    const expected = Array.from({ length: 25_000 }, (_, index) => String(index + 1).padStart(8, '0'));
    expect(numbers((await list('all', world)).body)).toEqual(expected);
    expect(numbers((await list('pending', world)).body)).toEqual(
      expected.filter((_, index) => (index + 1) % 3 !== 0),
    );
    expect(numbers((await list('imported', world)).body)).toEqual(
      expected.filter((_, index) => (index + 1) % 3 === 0),
    );
  });

  describe.each(['identity', 'gzip'])('a list of two chunks, compressed as %s', (encoding) => {
    let world: World;
    /** Aborting it closes the caller's connection. */
    let caller: AbortController;
    let requestId: string;
    let linesBefore: number;
    const request = (): Promise<Reply> => {
      requestId = unique('list');
      const authorization = `Token ${world.token}`;
      return service.call(`all-account-import-processes/${world.supplier}/`, {
        headers: { authorization, 'accept-encoding': encoding, 'x-request-id': requestId },
        signal: caller.signal,
      });
    };
    /** The log lines of the request once it has ended, and of failures without a request. */
    const logged = async (): Promise<string[]> => {
      const lines = (): Record<string, unknown>[] =>
        log
          .lines()
          .slice(linesBefore)
          .filter(
            ({ level, request_id }) => request_id === requestId || level === 'warn' || level === 'error',
          );
      await waitUntil('the request is over', () => lines().some(({ route }) => route !== undefined));
      return lines().map(({ level, msg }) => `${String(level)}: ${String(msg)}`);
    };

    beforeEach(async () => {
      world = await service.given.supplier();
      await stage(world, 10_001, `lpad(n::text, 8, '0')`);
      caller = new AbortController();
      linesBefore = log.lines().length;
    });

    it('is broken off when the grant is revoked meanwhile, which is not logged as a failure (S5)', async () => {
      beforeGoingOn(() => revoke(world));
      await expect(request()).rejects.toThrow(BROKEN_OFF);
      expect(await logged()).toEqual(['info: aborted by the service']);
    });

    it('is broken off when the second chunk fails, which is logged once, with the request’s id (S5, T3)', async () => {
      beforeGoingOn(() => Promise.reject(new Error('As it happens.')));
      await expect(request()).rejects.toThrow(BROKEN_OFF);
      expect(await logged()).toEqual(['error: error', 'info: aborted by the service']);
    });

    it('is not a failure when the caller disconnects before the second chunk (T3)', async () => {
      beforeGoingOn(() => {
        caller.abort();
        return logged();
      });
      await expect(request()).rejects.toThrow('aborted');
      expect(await logged()).toEqual(['info: aborted by the client']);
    });
  });

  it('answers pages that a Link header connects (S5)', async () => {
    const world = await service.given.supplier();
    await stage(world, 7, `'n/' || n || ' ü'`);
    const seen: string[] = [];
    let path: string | undefined = `/v1/data-import/all-account-import-processes/${world.supplier}/?limit=3`;
    let pages = 0;
    while (path !== undefined) {
      const reply: Reply<Process[]> = await service.get<Process[]>(path, world.token);
      seen.push(...numbers(reply.body));
      path = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(seen).toEqual(numbers((await list('all', world)).body));
    expect(pages).toBe(3);
  });

  it('names no next page when the last one is exactly full (S5)', async () => {
    const world = await service.given.supplier();
    await stage(world, 3, `'n' || n`);
    const reply = await list('all', world, '?limit=3');
    expect(reply.body).toHaveLength(3);
    expect(reply.headers.has('link')).toBe(false);
  });

  it.each([
    ['pending', 'n > 2'],
    ['imported', 'n <= 2'],
  ] as const)(
    'names no next page of the %s list when only accounts of another state come behind it (S5)',
    async (which, imported) => {
      const world = await service.given.supplier();
      await stage(world, 4, `'n' || n`, imported);
      const reply = await list(which, world, '?limit=2');
      expect(numbers(reply.body)).toEqual(['n1', 'n2']);
      expect(reply.headers.has('link')).toBe(false);
    },
  );

  it('continues after an account number, also without a limit (S5)', async () => {
    const world = await service.given.supplier();
    await stage(world, 5, `'n' || n`);
    expect(numbers((await list('all', world, '?after=n3')).body)).toEqual(['n4', 'n5']);
    expect(numbers((await list('all', world, '?after=n35')).body)).toEqual(['n4', 'n5']);
  });

  it.each([
    ['?limit=0', 'min_value', 'limit'],
    ['?limit=10001', 'max_value', 'limit'],
    ['?limit=ten', 'invalid', 'limit'],
    ['?limit=1&limit=2', 'invalid', 'limit'],
    ['?after=', 'blank', 'after'],
    ['?after=%E4', 'invalid', 'after'],
    ['?limit=%ff', 'invalid', 'limit'],
    ['?page=2', 'unexpected_field', 'page'],
    ['?__proto__=2', 'unexpected_field', '__proto__'],
  ])('refuses %s (S5, T11)', async (query, code, attr) => {
    const world = await service.given.supplier();
    expectInvalid(await list('all', world, query), [code, attr]);
  });

  it('keeps answering while the supplier is complete (S2)', async () => {
    const world = await service.given.supplier({ status: 'complete' });
    expect(await list('all', world)).toMatchObject({ status: 200 });
  });
});
