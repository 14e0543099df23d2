import fc from 'fast-check';
import { Grouping } from './grouping.js';

describe('whether the rows of each account are together', () => {
  it('is known for any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('1', '2', '3', 'é'), { maxLength: 8 }), (accounts) => {
        const grouping = new Grouping();
        for (const account of accounts) grouping.add(account);
        const changes = accounts.filter((account, at) => account !== accounts[at - 1]);
        expect(grouping.isGrouped).toBe(new Set(changes).size === changes.length);
      }),
    );
  });

  it('is known for more accounts than there is room for at first', () => {
    const grouping = new Grouping();
    for (let account = 0; account < 200_000; account += 1) grouping.add(String(account));
    expect(grouping.isGrouped).toBe(true);
    grouping.add('77');
    expect(grouping.isGrouped).toBe(false);
  });
});
