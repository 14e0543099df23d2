import { join } from 'node:path';
import { WrongUsage } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import { groupFailures, isInGroup } from '../report/groups.js';
import { formsOf } from '../retry/failures-folder.js';
import { failedRows, readCorrections, type Correction } from '../retry/corrections.js';
import { RetryLedger } from '../retry/retry-ledger.js';
import type { Kind } from '../kinds/kinds.js';
import { checkedCorrections } from './checked-rows.js';
import { runLoad, type LoadCommand } from './load-run.js';
import type { LoadFlags } from './options.js';
import type { ReadSession } from './session.js';
import type { Terminal } from './terminal.js';

/** Send the rows of `failures/` again, whether corrected or not. @returns the exit code */
export function retry(folder: string, flags: LoadFlags, terminal: Terminal): Promise<number> {
  return runLoad(RETRY, folder, flags, terminal);
}

const RETRY: LoadCommand = {
  name: 'retry',
  plan: async (session) => {
    const { journal, terminal } = session;
    const corrections = await correctionsOf(session);
    const ledger = new RetryLedger([...corrections.values()].flat(), journal, terminal.clock);
    return {
      ledger,
      checkedRows: () => Promise.resolve(checkedCorrections(corrections, ledger)),
      kinds: [...corrections.keys()],
      counts: new Map([...corrections].map(([kind, { length }]) => [kind, { settled: 0, rows: length }])),
      rows: async function* (kind) {
        const rows = (corrections.get(kind) ?? []).map(({ row }) => row).filter((row) => ledger.isOpen(row));
        yield await Promise.resolve([...grouped(rows, ({ account = '' }) => account).values()].flat());
      },
    };
  },
};

/** The rows of the files, by kind, without rows that arrived and rows of other groups. */
async function correctionsOf({
  options,
  journal,
  preparations,
}: ReadSession): Promise<ReadonlyMap<Kind, readonly Correction[]>> {
  const { group: number } = options;
  const groups = number === undefined ? [] : await groupFailures(journal.failures());
  const group = groups[(number ?? 0) - 1];
  if (number !== undefined && !group)
    throw new WrongUsage(
      `--group: there is no group ${number}; the command failures lists ${groups.length}.`,
    );
  const corrections = new Map<Kind, readonly Correction[]>();
  const forms = formsOf(journal.state);
  // A dry run reads the rows from the same folder, but writes to another one.
  const folder = join(options.folder, 'failures');
  for (const kind of preparations.keys()) {
    if (journal.state.of(kind).failed === 0 || (group && group.kind !== kind)) continue;
    const failed = await failedRows(kind, journal.events(), journal.state);
    const mapping = options.mapping.of(kind);
    const found = await readCorrections(folder, kind, failed, { mapping, forms });
    const wanted = found.filter(({ of }) => !of.isThere && (!group || isInGroup(of.last, group)));
    if (wanted.length > 0) corrections.set(kind, wanted);
  }
  return corrections;
}
