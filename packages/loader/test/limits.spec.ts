import { startService, type TestService } from '../../../test/support/service.js';
import { startDecidingProxy, type Passing } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, note, transaction, type LoaderEnd } from './support/loader.js';
import type { Result } from '../src/report/result.js';

const HEADER = 'external_account_number,transaction_id,transaction_date,amount,type,display_note';

/** Rows of one request, and bytes. */
const [ITEMS_MAX, BYTES_MAX] = [7, 3_000];

let service: TestService;

afterEach(async () => {
  await service.stop();
});

async function load(
  world: LoaderWorld,
  args: readonly string[] = [],
): Promise<{ end: LoaderEnd & { result: Result }; sent: readonly Passing[] }> {
  const proxy = await startDecidingProxy(world.service.baseUrl, () => undefined);
  const end = await world.json('load', args, proxy);
  return { end, sent: proxy.passed.filter(({ path }) => path.includes('/create/')) };
}

const itemsOf = ({ body }: Passing): number => body.split('"transaction_id"').length - 1;

describe('a load of a service with low limits', () => {
  it('finds out how many items a request may have, and no row fails for it (L4, L10)', async () => {
    service = await startService({ ITEMS_MAX: String(ITEMS_MAX) });
    const numbers = accounts(10);
    const world = await LoaderWorld.create(service, numbers, {
      'transactions.ndjson': numbers.flatMap((account) =>
        Array.from({ length: 14 }, (_, index) => transaction(account, `L-${index}`)),
      ),
    });
    const { end, sent } = await load(world, ['--items-per-request', '100000', '--concurrency', '2']);
    expect(end).toMatchObject({ code: 0, result: { read: 140, loaded: 140, failed: 0 } });
    // Two at a time were too large; those that were made by then are sent in parts.
    expect(sent.filter((request) => itemsOf(request) > ITEMS_MAX)).toHaveLength(2);
    expect(sent).toHaveLength(22);
  });

  it('finds out how many bytes a request may have, also of a table (L4, L10)', async () => {
    service = await startService({ BODY_LIMIT_BYTES: String(BYTES_MAX) });
    const numbers = accounts(10);
    const [account = ''] = numbers;
    // The names of the fields are in each item and once in the table.
    const lines = numbers.flatMap((number) =>
      Array.from({ length: 60 }, (_, index) => `${number},L-${index},2026-11-05,1,CREDIT,`),
    );
    const world = await LoaderWorld.create(service, numbers, {
      'transactions.csv': `${[HEADER, ...lines].join('\n')}\n`,
      'notes.ndjson': [
        note(account, 'x'.repeat(2_500)),
        note(account, 'y'.repeat(5_000)),
        note(account, 'z'),
      ],
    });
    const { end, sent } = await load(world, ['--concurrency', '2']);
    expect(end).toMatchObject({ code: 1, result: { read: 603, loaded: 602, failed: 1, unsent: 0 } });
    // That row alone is too large.
    expect(end.result.groups).toMatchObject([
      { kind: 'notes', code: 'payload_too_large', count: 1, first: { file: 'notes.ndjson', line: 2 } },
    ]);
    const tooLarge = sent.filter((request) => request.body.length > BYTES_MAX && itemsOf(request) > 0);
    expect(tooLarge.length).toBeLessThanOrEqual(4);
  });

  it('waits for as long as it is told when it sends too often, and no row fails for it (L10)', async () => {
    service = await startService({ REQUESTS_PER_MINUTE: '60' });
    const numbers = accounts(62);
    const world = await LoaderWorld.create(service, numbers, {
      'transactions.ndjson': numbers.map((account) => transaction(account, 'L-1')),
    });
    const end = await world.json('load', ['--no-check']);
    expect(end).toMatchObject({ code: 0, result: { loaded: 62, failed: 0, unsent: 0 } });
    expect(end.result.seconds).toBeGreaterThan(2);
  });
});
