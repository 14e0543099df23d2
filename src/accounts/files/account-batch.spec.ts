import { AccountBatch, periodColumns } from './account-batch.js';
import type { AccountRecord } from './line-reading.js';

const record = (externalAccountNumber: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
  externalAccountNumber,
  openStatementFrom: undefined,
  openStatementTo: undefined,
  account: undefined,
  ...more,
});

describe('AccountBatch', () => {
  it('writes each number once, in order, so that two batches with common numbers do not deadlock', () => {
    const batch = new AccountBatch();
    for (const [index, number] of ['B', 'C', 'A', 'C', 'a', 'C'].entries())
      batch.add(record(number), index + 1);
    expect(batch.linesOf('C')).toEqual([2, 4, 6]);
    expect([batch.length, batch.accounts]).toEqual([6, 4]);
    expect([...batch.copyLines(7)].join('')).toBe(
      ['A', 'B', 'C', 'a'].map((number) => `${number}\t\\N\t\\N\t\\N\t7\n`).join(''),
    );
    expect(periodColumns(batch.records())).toEqual({ numbers: '{"A","B","C","a"}', froms: null, tos: null });
  });

  it('keeps the last record of a number, and escapes the special characters of COPY (S7)', () => {
    const batch = new AccountBatch();
    batch.add(record('A\t1', { openStatementFrom: '2024-01-01', account: '{"a":1}' }), 1);
    batch.add(record('A\t1', { openStatementTo: '2024-12-31', account: String.raw`{"a":"\n"}` }), 2);
    expect(periodColumns(batch.records())).toEqual({
      numbers: '{"A\t1"}',
      froms: null,
      tos: '{"2024-12-31"}',
    });
    expect([...batch.copyLines(7)]).toEqual([String.raw`A\t1	\N	2024-12-31	{"a":"\\n"}	7` + '\n']);
  });

  it('is full when it has many or large records', () => {
    const long = new AccountBatch();
    for (let number = 1; number < 20_000; number += 1) long.add(record(`${number}`), number);
    expect(long.isFull).toBe(false);
    long.add(record('0'), 20_000);
    expect(long.isFull).toBe(true);
    const large = new AccountBatch();
    large.add(record('A', { account: `"${'x'.repeat(8_388_608)}"` }), 1);
    expect(large.isFull).toBe(true);
  });
});
