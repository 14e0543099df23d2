import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, note, transaction } from './support/loader.js';

const service = setUp(sharedService);

describe('load --limit', () => {
  it('loads the first accounts of the folder, and the rest does not count (L4, L8)', async () => {
    const [a = '', b = '', c = ''] = accounts(3);
    const world = await LoaderWorld.create(service, [a, b, c], {
      'notes.ndjson': [note(b, 'first')],
      'transactions.ndjson': [
        ...[transaction(c, 'L-1', { type: 'FEE' }), transaction(a, 'L-1'), transaction(b, 'L-1')],
        ...[transaction(c, 'L-2'), transaction(a, 'L-2')],
      ],
    });
    const rehearsed = await world.json('load', ['--limit', '1', '--dry-run']);
    expect(rehearsed).toMatchObject({ code: 0, result: { loaded: 2, unsent: 4 } });

    const proxy = await startDecidingProxy(service.baseUrl, () => undefined);
    const load = (limit: number) => world.json('load', ['--limit', String(limit)], proxy);
    const one = await load(1);
    expect(one).toMatchObject({ code: 0, result: { read: 6, loaded: 2, unsent: 4, failed: 0 } });
    // Of the other accounts it says nothing.
    expect(one.result).toMatchObject({ checked: false });
    expect(one.stderr.trimEnd().split('\n').at(-1)).toMatch(/^data-import-loader load (?!.*--limit)/);
    expect(await world.stored('transaction')).toEqual({ [b]: 1 });
    const sent = (): number => proxy.passed.filter(({ path }) => path.includes('/create/')).length;
    const before = sent();
    expect(await load(1)).toMatchObject({ code: 0, result: { loaded: 2, unsent: 4 } });
    expect(sent()).toBe(before);

    // Rows that are not together are sorted by account.
    const two = await load(2);
    expect(two.result.unsent).toBe(2);
    const text = await world.run('load', ['--limit', '2'], proxy);
    expect(text.stdout).not.toContain('Every row is there.');
    expect(text.stderr).toContain('--limit');
    expect(await load(3)).toMatchObject({ code: 1, result: { loaded: 5, failed: 1, unsent: 0 } });
    expect(await world.stored('transaction')).toEqual({ [a]: 2, [b]: 1, [c]: 1 });
  });
});
