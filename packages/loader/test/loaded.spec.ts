import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, ndjson, note, transaction } from './support/loader.js';

const service = setUp(sharedService);

const read = ({ folder }: LoaderWorld): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'loaded.json'), 'utf8')) as Record<string, unknown>;

const isWritten = ({ folder }: LoaderWorld): boolean => existsSync(join(folder, 'loaded.json'));

/** An account with two notes, one of which repeats the other, and five transactions, of which one is refused and one is a repeat. */
async function world(): Promise<{ given: LoaderWorld; account: string }> {
  const [account = ''] = accounts(1);
  const given = await LoaderWorld.create(service, [account], {
    'notes.ndjson': [note(account, 'One'), note(account, 'One')],
    'transactions.ndjson': [
      transaction(account, 'L-1', { amount: 0.1 }),
      transaction(account, 'L-2', { amount: 0.2 }),
      transaction(account, 'L-2', { amount: 0.2 }),
      transaction(account, 'L-3', { amount: -1234567890.05 }),
      transaction(account, 'L-4', { amount: 5, type: 'FEE' }),
    ],
  });
  return { given, account };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the document of what was loaded', () => {
  it('has counts, exact amounts, the digest, runs and files, and is no file of the folder (L7, L1)', async () => {
    const { given, account } = await world();
    const { code, result } = await given.json('load');
    expect(code).toBe(1);
    const document = read(given);
    const { run } = result;
    const file = (name: string): object => {
      const bytes = readFileSync(join(given.folder, name));
      return { kind: name.replace('.ndjson', ''), name, sha256: sha256(bytes), bytes: bytes.length };
    };
    expect(document).toMatchObject({
      supplier: given.world.supplier,
      base_url: service.baseUrl,
      runs: [run],
      read: 7,
      loaded: 4,
      already: 2,
      failed: 1,
      kinds: { notes: { read: 2 }, transactions: { read: 5, failed: 1 } },
      checked: true,
      accounts: 1,
      rows: { notes: 1, transactions: 3 },
      amounts: { CHARGE: '-1234567889.75' },
      files: [
        { ...file('notes.ndjson'), rows: 2 },
        { ...file('transactions.ndjson'), rows: 5 },
      ],
      failures: [{ kind: 'transactions', code: 'invalid_choice', attr: 'type', count: 1 }],
    });
    expect(document.written_by).toMatch(/^data-import-loader \d+\.\d+\.\d+$/);
    expect(document.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(statSync(join(given.folder, 'loaded.json')).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(given.folder, 'loaded.json'), 'utf8');
    expect(text).not.toContain(account);
    // A corrected row changes what is there; then the digest is that of everything.
    writeFileSync(
      join(given.folder, 'failures', 'transactions.ndjson'),
      ndjson([transaction(account, 'L-4', { amount: 5 })]),
    );
    const retried = await given.json('retry');
    expect(retried.code).toBe(0);
    const after = read(given);
    expect(after).toMatchObject({
      runs: [run, retried.result.run],
      loaded: 5,
      failed: 0,
      rows: { notes: 1, transactions: 4 },
      amounts: { CHARGE: '-1234567884.75' },
      failures: [],
    });
    const verified = await given.verify();
    expect(verified.code).toBe(0);
    expect(after.digest).toBe(verified.result.digest);
    expect(document.digest).not.toBe(after.digest);
    // Another load finds nothing to do.
    expect(await given.json('load')).toMatchObject({ code: 0, result: { checked: true } });
    expect(read(given)).toMatchObject({ digest: after.digest, amounts: after.amounts, failed: 0 });
  });

  it('is not there of a rehearsal, and without the look at the end it has no digest (L7)', async () => {
    const { given } = await world();
    await given.run('load', ['--dry-run']);
    expect(isWritten(given)).toBe(false);
    await given.run('load', ['--no-check']);
    expect(read(given)).toMatchObject({ read: 7, failed: 1, checked: false, digest: null, amounts: null });
  });

  it('is removed before a later run makes it wrong, and kept by one that changes nothing (L7)', async () => {
    const { given } = await world();
    const seen: boolean[] = [];
    const proxy = await startDecidingProxy(service.baseUrl, ({ path }) => {
      if (path.includes('transactions/create')) seen.push(isWritten(given));
      return undefined;
    });
    const target = proxy;
    await given.run('load', [], target);
    const { digest } = read(given);
    // Refused before anything changes: another service, an unknown supplier.
    expect((await given.run('load')).code).toBe(2);
    expect((await given.run('load', ['--supplier', 'NONE'], target)).code).toBe(2);
    expect(read(given)).toMatchObject({ digest });
    // What is missing at the end is sent again: from then on until the end it would be wrong.
    await service.database.sql(
      `DELETE FROM transaction t USING import_supplier s WHERE s.id = t.import_supplier_id AND s.code = $1`,
      [given.world.supplier],
    );
    seen.length = 0;
    expect((await given.run('load', [], target)).code).toBe(1);
    expect(new Set(seen)).toEqual(new Set([false]));
    expect(read(given)).toMatchObject({ digest });
    // Everything is set aside, and nothing comes after it.
    expect((await given.run('load', ['--supplier', 'NONE', '--again'], target)).code).toBe(2);
    expect(isWritten(given)).toBe(false);
  });

  it('is never written over a file of this name that somebody else has made (L7)', async () => {
    const { given } = await world();
    writeFileSync(join(given.folder, 'loaded.json'), '{"mine":true}');
    const { stderr } = await given.run('load');
    expect(stderr).toContain('loaded.json belongs to another program');
    await given.run('load', ['--again']);
    expect(read(given)).toEqual({ mine: true });
  });
});
