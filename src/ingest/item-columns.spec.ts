import fc from 'fast-check';
import type { Caller } from '../auth/caller.js';
import { TRANSACTION } from './kinds/transaction.item.js';
import type { ImportRequest } from './import-request.js';
import { Columns, itemColumns, itemValues, sentItems } from './item-columns.js';
import { runs } from '../../test/support/runs.js';

interface Item {
  readonly name?: string | undefined;
  readonly size?: number | undefined;
  readonly isGood?: boolean;
}

const COLUMNS = new Columns<Item>('item', {
  name: { type: 'text', read: ({ name }) => name },
  size: { type: 'numeric', read: ({ size }) => size },
  is_good: { type: 'boolean', read: ({ isGood }) => isGood },
});

describe('the columns of an item', () => {
  it('produce the parts of a query', () => {
    expect(COLUMNS.list).toBe('name, size, is_good');
    expect(COLUMNS.listOf('sent')).toBe('sent.name, sent.size, sent.is_good');
    expect(COLUMNS.selectFrom('sent', { size: 'sent.size + 1' })).toBe(
      'sent.name AS name, sent.size + 1 AS size, sent.is_good AS is_good',
    );
    expect(sentItems(COLUMNS)).toContain(
      'unnest(:item_name::text[]) AS name, unnest(:item_size::numeric[]) AS size',
    );
  });

  it('write an array literal for each column, with quotation marks and backslashes escaped', () => {
    const items = [{ name: 'a "b" \\ c', size: -1.5, isGood: true }, {}, { name: 'NULL', size: 1e21 }];
    expect(COLUMNS.values(items)).toEqual({
      item_name: '{"a \\"b\\" \\\\ c",NULL,"NULL"}',
      item_size: '{-1.5,NULL,1e+21}',
      item_is_good: '{true,NULL,NULL}',
    });
  });

  it('write null for a column without any value', () => {
    const [item_name, item_is_good] = [null, null];
    expect(COLUMNS.values([{}, { size: 0 }])).toEqual({ item_name, item_size: '{NULL,0}', item_is_good });
  });

  it('write JSON numbers without exponents, and leave texts that look like one unchanged', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', '[', '1', 'e', '-', '+', '.') });
    const small = fc
      .integer({ min: 1, max: 99_999 })
      .map((digits) => `-0.${String(digits).padStart(10, '0')}`);
    const large = fc
      .tuple(fc.maxSafeInteger(), fc.nat(14))
      .map(([digits, zeros]) => String(BigInt(digits % 1e15) * 10n ** BigInt(zeros)));
    const number = fc.oneof(small, large).map((written) => written.replace(/(\..*?)0+$/, '$1'));
    fc.assert(
      fc.property(text, number, number, (rate_band, net_amount, unit) => {
        const sent = {
          line_items: [{ rate_band, net_amount: Number(net_amount), units: [0, Number(unit)] }],
        };
        expect(itemColumns(TRANSACTION).line_items?.read({ sent })).toBe(
          `[{"rate_band":${JSON.stringify(rate_band)},"net_amount":${net_amount},"units":[0,${unit}]}]`,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('number the items by their request', () => {
    const request = (...items: Item[]): ImportRequest<Item> => ({
      caller: { apiKeyId: 'k', requestId: 'r', receivedAtMs: 0 } as Caller,
      account: { importSupplier: 's', externalAccountNumber: 'a' },
      items,
    });
    const requests = [request({ size: 1 }, { size: 2 }), request({ size: 3 })];
    expect(itemValues(COLUMNS, requests)).toMatchObject({
      request_numbers: '{1,1,2}',
      item_size: '{1,2,3}',
    });
  });
});
