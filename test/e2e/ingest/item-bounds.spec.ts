import fc from 'fast-check';
import { itemOf } from '../../support/large-items.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

const ITEM_BYTES_MAX = 262_144;

const service = setUp(sharedService);

it('an item of 256 KiB is accepted, however it is written, and a larger one is refused by its path (T19)', async () => {
  const { token, ref } = await service.given.importedAccount();
  const verdict = async (list: string, items: string[]): Promise<unknown> => {
    const body = `{${JSON.stringify(ref).slice(1, -1)},"${list}":[${items.join(',')}]}`;
    const { status, body: answer } = await service.post(`${list}/create/?dry_run=true`, token, body);
    return [status, ...((answer as { errors?: { code: string; attr: string }[] }).errors ?? [])];
  };
  await fc.assert(
    fc.asyncProperty(itemOf(ITEM_BYTES_MAX), itemOf(ITEM_BYTES_MAX + 1), async (item, larger) => {
      fc.pre(item.list === larger.list);
      expect(await verdict(item.list, [item.json])).toEqual([201]);
      const { errors } = { errors: await verdict(item.list, [item.json, larger.json]) };
      const at = { code: 'max_length', attr: `${item.list}.1` };
      expect(errors).toEqual([400, expect.objectContaining(at)].concat(repeatOf(item.list)));
    }),
    { numRuns: 12 },
  );
});

/** Both transactions have one id. */
function repeatOf(list: string): unknown[] {
  return list === 'notes' ? [] : [expect.objectContaining({ code: 'duplicate_transaction_ids' })];
}
