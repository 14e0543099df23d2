import { join, relative } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startProxy } from '../../../test/support/tcp-proxy.js';
import { startDecidingProxy, type Decision, type Passing } from './support/deciding-proxy.js';
import { accounts, instruction, LoaderWorld, note, statement, transaction } from './support/loader.js';
import { PROGRAM } from './support/program.js';

const service = setUp(sharedService);

const ROWS = 6;

/** Accounts with some transactions each. */
async function world(count: number, rows = ROWS): Promise<{ given: LoaderWorld; numbers: string[] }> {
  const numbers = accounts(count);
  const given = await LoaderWorld.create(service, numbers, {
    'transactions.ndjson': numbers.flatMap((account) =>
      Array.from({ length: rows }, (_, index) => transaction(account, `L-${index}`)),
    ),
  });
  return { given, numbers };
}

const everything = (numbers: readonly string[], rows = ROWS): Record<string, number> =>
  Object.fromEntries(numbers.map((number) => [number, rows]));

/** Decide about requests in their order; the others are forwarded. */
const inOrder =
  (...decisions: Decision[]) =>
  ({ number }: Passing): Decision =>
    decisions[number - 1];

describe('a load through a bad network', () => {
  it('sends kinds one after the other, and the rows of an account in the order of the files (L9)', async () => {
    const numbers = accounts(3);
    const of = (row: (account: string, id: string) => object, ...ids: string[]): object[] =>
      ids.flatMap((id) => numbers.map((account) => row(account, id)));
    const given = await LoaderWorld.create(service, numbers, {
      'transactions-1.ndjson': of(transaction, 'L-3', 'L-1'),
      'transactions-2.ndjson': of(transaction, 'L-2', 'L-0'),
      'payment-instructions.ndjson': of(instruction, 'ok_1'),
      'statements.ndjson': of(statement, 'S-1'),
      'notes.ndjson': of(note, 'one'),
    });
    const proxy = await startDecidingProxy(service.baseUrl, () => undefined);
    const args = ['--items-per-request', '1'];
    expect(await given.json('load', args, proxy)).toMatchObject({ code: 0 });
    const paths = proxy.passed.filter(({ body }) => body !== '').map(({ path }) => path.split('/')[3]);
    expect(paths.filter((path, index) => path !== paths[index - 1])).toEqual([
      'notes',
      'historical-statements',
      'payment-instruction',
      'transactions',
    ]);
    for (const number of numbers) {
      const sent = proxy.passed.filter(({ body }) => body.includes(number)).map(({ body }) => body);
      expect(sent.flatMap((body) => /L-\d/.exec(body) ?? [])).toEqual(['L-3', 'L-1', 'L-2', 'L-0']);
    }
  });

  it('repeats what was not answered and what is to be repeated, and loads everything once', async () => {
    const { given, numbers } = await world(12);
    const busy = { status: 503, code: 'service_unavailable', retryAfter: 1 };
    const decide = inOrder(
      'cut before',
      'cut after',
      busy,
      { status: 500, code: 'error' },
      { status: 429, code: 'throttled' },
      busy,
      'cut after',
    );
    const proxy = await startDecidingProxy(service.baseUrl, decide);
    const { code, result } = await given.json('load', ['--items-per-request', '3'], proxy);
    expect({ code, result }).toMatchObject({ code: 0, result: { read: 72, failed: 0, unsent: 0 } });
    expect(result.loaded + result.already).toBe(72);
    expect(await given.stored('transaction')).toEqual(everything(numbers));
  });

  it('puts a row aside whose payment vendor is away, and loads it at the end', async () => {
    const [account = ''] = accounts(1);
    const references = ['ok_1', 'ok_2', 'ok_3'];
    const given = await LoaderWorld.create(service, [account], {
      'payment-instructions.ndjson': references.map((reference) => instruction(account, reference)),
      'transactions.ndjson': [transaction(account, 'L-1')],
    });
    let left = 3;
    const proxy = await startDecidingProxy(service.baseUrl, ({ body }) => {
      if (!body.includes('ok_1') || left === 0) return undefined;
      left -= 1;
      return { status: 500, code: 'payment_vendor_unavailable' };
    });
    expect(await given.json('load', [], proxy)).toMatchObject({
      code: 0,
      result: { read: 4, loaded: 4 },
    });
    const order = proxy.passed.map(({ body }) => /ok_\d|L-1/.exec(body)?.[0]);
    expect(order).toEqual(['ok_1', 'ok_2', 'ok_3', 'L-1', 'ok_1', 'ok_1', 'ok_1']);
  });

  it('lets a request that always fails hold up no other, and gives up on it in the end', async () => {
    const { given, numbers } = await world(5);
    const [bad = '', ...others] = numbers;
    const proxy = await startDecidingProxy(service.baseUrl, ({ body }) =>
      body.includes(bad) ? { status: 500, code: 'error' } : undefined,
    );
    const end = await given.json('load', ['--give-up-after', '5s'], proxy);
    expect(end).toMatchObject({ code: 3, result: { read: 30, loaded: 24, failed: 0, unsent: 6 } });
    expect(end.stderr.trimEnd().split('\n').at(-1)).toContain('data-import-loader load');
    expect(await given.stored('transaction')).toEqual(everything(others));
  });

  it('stops when the service is away for too long, and the same command goes on (L8, L10)', async () => {
    const { given, numbers } = await world(40);
    const proxy = await startProxy(service.baseUrl);
    const baseUrl = proxy.through(service.baseUrl).replace(/\/$/, '');
    let hasCut = false;
    const watching = await startDecidingProxy(baseUrl, async ({ number }) => {
      if (number < 10 || hasCut) return undefined;
      hasCut = true;
      await proxy.cut();
      return undefined;
    });
    const args = ['--concurrency', '4'];
    const stopped = await given.json('load', [...args, '--give-up-after', '3s'], watching);
    expect(stopped).toMatchObject({ code: 3, result: { read: 240, failed: 0 } });
    expect(stopped.result.unsent).toBeGreaterThan(0);
    expect(stopped.stderr).toContain('unavailable');
    await proxy.restore();
    const { code, result } = await given.json('load', args, watching);
    await proxy.cut();
    expect({ code, sum: result.loaded + result.already }).toEqual({ code: 0, sum: 240 });
    expect(await given.stored('transaction')).toEqual(everything(numbers));
  });

  it('waits for requests that are under way when it is interrupted, and goes on', async () => {
    const { given, numbers } = await world(30);
    const running: { loader?: ReturnType<LoaderWorld['start']> } = {};
    const proxy = await startDecidingProxy(service.baseUrl, ({ number }) => {
      if (number === 10) running.loader?.interrupt();
      return undefined;
    });
    running.loader = given.start('load', ['--json', '--concurrency', '3'], proxy);
    const { code, stdout, stderr } = await running.loader.ended;
    const result = JSON.parse(stdout) as { loaded: number; unsent: number };
    expect(code).toBe(3);
    expect(result.loaded).toBe(Object.values(await given.stored('transaction')).reduce((a, b) => a + b, 0));
    expect(result.loaded + result.unsent).toBe(180);
    expect(result.unsent).toBeGreaterThan(0);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `data-import-loader load ${given.folder} ${given.target(proxy.baseUrl).join(' ')} --concurrency 3 --json`,
    );
    expect(running.loader.exits).toEqual([]);
    // One that was killed has printed nothing.
    const { stdout: status } = await given.run('status');
    expect(status.trimEnd().split('\n').at(-1)).toBe(stderr.trimEnd().split('\n').at(-1));
    expect(await given.json('load', [], proxy)).toMatchObject({
      code: 0,
      result: { loaded: 180, already: 0 },
    });
    expect(await given.stored('transaction')).toEqual(everything(numbers));
  });
});

describe('a loader that is killed', () => {
  it('or cannot write its journal any more goes on where it was (L8)', async () => {
    const { given, numbers } = await world(20, 15);
    const args = ['--items-per-request', '1'];
    // No file may be larger than 6 or 12 KiB, as shells count: a part of a line is still written.
    const shell = ['sh', '-c', `ulimit -f 12; exec "$@"`, 'sh'];
    const { code, stderr } = await given.spawn('load', args, { shell }).ended;
    const journal = join(given.folder, '.data-import-loader', 'journal');
    expect(code).toBe(3);
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      `${journal} cannot be written: file too large (EFBIG). Check its folder and disk. Then continue with:`,
      `node ${relative(process.cwd(), PROGRAM)} load ${given.folder} ${[...given.target(), ...args].join(' ')}`,
    ]);
    const { result, ...end } = await given.json('load');
    expect({ code: end.code, result }).toMatchObject({ code: 0, result: { read: 300, failed: 0 } });
    // At most those that were under way.
    expect(result.already).toBeLessThanOrEqual(8);
    expect(await given.stored('transaction')).toEqual(everything(numbers, 15));
  });
});
