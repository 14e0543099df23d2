import type { AccountContent } from '@data-import/client';
import fc from 'fast-check';
import { accountsOf, sourceOf } from '../../test/support/compared.js';
import { byteOrderOf } from '../rows/account-order.js';
import { askFor, type Asked } from './accounts.js';

type Found = Asked<{ readonly account: string; readonly order: string }, AccountContent>;

interface Asking {
  readonly asked: readonly Found[];
  readonly single: number;
  readonly listed: number;
  readonly atOnce: number;
}

/**
 * Look up some accounts at a service that also has others.
 *
 * @param rows the number of rows of each account at the service
 */
async function ask(own: readonly string[], there: readonly string[], rows = 0): Promise<Asking> {
  const accounts = accountsOf(there, []);
  const whole = sourceOf(accounts);
  const byNumber = new Map(accounts.map((account) => [account.external_account_number, account]));
  let [single, listed, underWay, atOnce] = [0, 0, 0, 0];
  const { signal } = new AbortController();
  const byOrder = own
    .map((account) => ({ account, order: byteOrderOf(account) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const found: Found[] = [];
  const asking = {
    single: async (account: string) => {
      [single, underWay] = [single + 1, underWay + 1];
      atOnce = Math.max(atOnce, underWay);
      await Promise.resolve();
      underWay -= 1;
      return byNumber.get(account);
    },
    list: async function* (after: string) {
      for await (const account of whole.list(after, signal)) {
        listed += 1;
        yield account;
      }
    },
    rowsOf: () => rows,
    concurrency: 8,
  };
  for await (const asked of askFor(byOrder[Symbol.iterator](), asking)) found.push(asked);
  return { asked: found, single, listed, atOnce };
}

const numbers = (count: number, every = 1): string[] =>
  Array.from({ length: count }, (_, index) => String(index * every).padStart(7, '0'));

it('every account is asked for once, whatever the service has (L14)', async () => {
  const some = fc.uniqueArray(
    fc.oneof(fc.integer({ min: 0, max: 400 }).map(String), fc.constantFrom('\uFFFD', '😀', 'A/1 "ü"')),
    { maxLength: 300 },
  );
  await fc.assert(
    fc.asyncProperty(some, some, async (own, there) => {
      const { asked } = await ask(own, there);
      expect(asked.map(({ own: { account } }) => account).sort()).toEqual(own.toSorted());
      for (const {
        own: { account },
        service,
      } of asked)
        expect(service?.external_account_number).toBe(there.includes(account) ? account : undefined);
    }),
    { numRuns: 50 },
  );
});

it('few accounts are asked for one by one, as many at a time as allowed (L14)', async () => {
  const { single, listed, atOnce } = await ask(numbers(90, 100), numbers(9_000));
  expect({ single, listed, atOnce }).toEqual({ single: 90, listed: 0, atOnce: 8 });
});

it('many accounts are read from the list, which ends behind the last of them (L14)', async () => {
  const { single, listed } = await ask(numbers(5_000), numbers(9_000));
  expect(single).toBeLessThanOrEqual(104);
  expect(listed).toBe(5_000 - single);
});

it('many accounts among very many others are asked for one by one, with few looks at the list (L14)', async () => {
  const { single, listed } = await ask(numbers(1_000, 40), numbers(40_000));
  expect(single).toBeGreaterThan(800);
  expect(listed).toBeLessThanOrEqual(4_000);
});

it('whether the list costs less is judged by the rows of the accounts of others (L14)', async () => {
  const few = await ask(numbers(1_000, 10), numbers(10_000), 5);
  expect(few.single).toBeLessThanOrEqual(104);
  const many = await ask(numbers(1_000, 10), numbers(10_000), 20);
  expect(many.single).toBeGreaterThan(600);
  const ours = await ask(numbers(5_000), numbers(5_000), 1_000);
  expect(ours.single).toBeLessThanOrEqual(104);
});
