import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, ndjson, note, transaction, type LoaderEnd } from './support/loader.js';

const service = setUp(sharedService);

const [NOTES, TRANSACTIONS] = ['notes.ndjson', 'transactions.ndjson'];

async function given(): Promise<{ world: LoaderWorld; account: string }> {
  const [account = ''] = accounts(1);
  const world = await LoaderWorld.create(service, [account], {
    [NOTES]: [note(account, 'first')],
    [TRANSACTIONS]: [transaction(account, 'L-1'), transaction(account, 'L-2')],
  });
  return { world, account };
}

/** Load a folder to which something happens when a kind is sent, as its requests name it. */
async function loadWhile(
  world: LoaderWorld,
  kind: 'notes' | 'transactions',
  happen: () => void,
  args: readonly string[] = [],
): Promise<LoaderEnd> {
  let isOver = false;
  const proxy = await startDecidingProxy(service.baseUrl, ({ path }) => {
    if (!isOver && path.includes(kind)) {
      isOver = true;
      happen();
    }
    return undefined;
  });
  const end = await world.run('load', args, proxy);
  return end;
}

const lastLines = ({ stderr }: LoaderEnd, count: number): string[] =>
  stderr.trimEnd().split('\n').slice(-count);

describe('a folder that changes while it is loaded', () => {
  it('ends with 3 and the command that continues when a file has grown (L8)', async () => {
    const { world, account } = await given();
    const more = ndjson([transaction(account, 'L-3')]);
    const path = join(world.folder, TRANSACTIONS);
    const report = join(world.folder, 'report.html');
    const end = await loadWhile(
      world,
      'transactions',
      () => {
        appendFileSync(path, more);
      },
      ['--report', report],
    );
    expect(end.code).toBe(3);
    expect(end.stdout).not.toContain('Every row is there.');
    const [said, name, , next = ''] = lastLines(end, 4);
    expect(said).toContain('changed while it was loaded');
    expect(name).toBe(`  ${TRANSACTIONS} has grown by ${more.length} bytes`);
    expect(next).toMatch(/^data-import-loader load .+ --again$/);
    expect(world.read('report.html')).toContain(`${TRANSACTIONS} has grown`);
    expect((await world.run('load', ['--again'])).code).toBe(0);
    expect(await world.stored('transaction')).toEqual({ [account]: 3 });
  });

  it('ends so too when a file has grown before it was its turn (L8)', async () => {
    const { world, account } = await given();
    const more = ndjson([transaction(account, 'L-3')]);
    const end = await loadWhile(world, 'notes', () => {
      appendFileSync(join(world.folder, TRANSACTIONS), more);
    });
    expect(end.code).toBe(3);
    // None of its rows is settled: it is simply read again.
    expect(lastLines(end, 3)[0]).toContain(`${TRANSACTIONS} has grown`);
    expect(lastLines(end, 1)[0]).not.toContain('--again');
    expect(await world.json('load', ['--again'])).toMatchObject({ code: 0, result: { read: 4 } });
  });

  it('names what was added, removed and replaced (L8)', async () => {
    const { world, account } = await given();
    const end = await loadWhile(world, 'transactions', () => {
      writeFileSync(join(world.folder, 'notes-2.ndjson'), ndjson([note(account, 'second')]));
      writeFileSync(join(world.folder, 'statements.csv.part'), '');
      rmSync(join(world.folder, NOTES));
      writeFileSync(
        join(world.folder, TRANSACTIONS),
        ndjson(['L-3', 'L-4'].map((id) => transaction(account, id))),
      );
    });
    expect(end.code).toBe(3);
    expect(lastLines(end, 6).slice(0, 4)).toEqual([
      `  ${NOTES} cannot be read any more`,
      `  ${TRANSACTIONS} has other content`,
      '  notes-2.ndjson was added',
      '  statements.csv.part was added: it looks like an unfinished copy',
    ]);
  });

  it('is whole when only the time of a file is another one (L8)', async () => {
    const { world } = await given();
    const touch = (): void => {
      utimesSync(join(world.folder, TRANSACTIONS), 1, 1);
    };
    expect((await loadWhile(world, 'transactions', touch)).code).toBe(0);
  });
});
