import { setImmediate } from 'node:timers/promises';
import { Stop } from '../common/stop.js';
import { Flow } from './flow.js';
import type { Request } from './request.js';

async function* requestsOf(accounts: readonly string[]): AsyncGenerator<Request> {
  for (const account of accounts)
    yield await Promise.resolve({ kind: 'notes', account, rows: [], bytes: 1, hasMore: false });
}

describe('requests', () => {
  it.each([
    ['of one account are delivered one at a time, beside those of others', '1 1 2 3', 2, '1-2 1-2 1-3 1-3'],
    ['of a started account are delivered before those of the next', '1 1 1 2 3', 1, '1 1 1 2 3'],
    [
      'of many accounts are delivered as many at a time as allowed',
      '1 2 3 4 5',
      3,
      '1-2-3 1-2-3 1-2-3 4-5 4-5',
    ],
  ])('%s (L9)', async (_title, accounts, concurrency, expected) => {
    const underWay: string[] = [];
    const seen: string[] = [];
    const deliver = async ({ account }: Request): Promise<void> => {
      underWay.push(account);
      await setImmediate();
      seen.push(underWay.toSorted().join('-'));
      await setImmediate();
      underWay.splice(underWay.indexOf(account), 1);
    };
    await new Flow(deliver, concurrency, new Stop()).run(requestsOf(accounts.split(' ')));
    expect(seen.join(' ')).toBe(expected);
  });

  it('end with the first error, once none is under way', async () => {
    const delivered: string[] = [];
    const deliver = async ({ account }: Request): Promise<void> => {
      delivered.push(account);
      await setImmediate();
      if (account === '1') throw new Error('first');
    };
    await expect(new Flow(deliver, 2, new Stop()).run(requestsOf(['1', '1', '2', '3']))).rejects.toThrow(
      'first',
    );
    expect(delivered).toEqual(['1', '2']);
  });
});
