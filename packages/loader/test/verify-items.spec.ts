import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { removeFolders } from '../../../test/support/folders.js';
import { SENT_ACCOUNT, type SentAccount } from '../../../test/support/sent-items.js';
import { accounts, LoaderWorld } from './support/loader.js';

const service = setUp(sharedService);

/** The rows of a kind in any order of their accounts, and some of them a second time. */
const rowsOf = (
  numbers: readonly string[],
  sent: readonly SentAccount[],
  of: keyof SentAccount,
): object[] => {
  const rows = sent.flatMap((account, index) =>
    account[of].map((item) => ({ ...item.sent, external_account_number: numbers[index] })),
  );
  return [...rows.filter((_, at) => at % 2 === 1), ...rows];
};

describe('rows of any content', () => {
  it('are all there after a load, and stay what they were (V3, V9)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(SENT_ACCOUNT, SENT_ACCOUNT), fc.constantFrom(1, 500), async (sent, items) => {
        const numbers = accounts(2);
        const given = await LoaderWorld.create(service, numbers, {
          'notes.ndjson': rowsOf(numbers, sent, 'notes'),
          'transactions.ndjson': rowsOf(numbers, sent, 'transactions'),
          'statements.ndjson': rowsOf(numbers, sent, 'historical_statements'),
          'payment-instructions.ndjson': rowsOf(numbers, sent, 'payment_instructions'),
        });
        const moving = ['--force-add-to-current-statement', 'true'];
        const { result } = await given.json('load', ['--items-per-request', String(items), ...moving]);
        expect(result.groups).toEqual([]);
        const verified = await given.verify();
        expect(verified.result.differences).toEqual([]);
        expect(verified.code).toBe(0);
        removeFolders();
      }),
      { numRuns: runs(5) },
    );
  });
});
