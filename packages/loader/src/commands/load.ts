import { readRows } from '../rows/read-rows.js';
import { JournalLedger } from '../send/journal-ledger.js';
import { checkedFiles } from './checked-rows.js';
import type { SendingFlags } from './options.js';
import { send, type SendingCommand } from './send.js';
import { readingOptions } from './session.js';
import type { Terminal } from './terminal.js';

/** Send every row of a folder that is not settled. @returns the exit code */
export function load(folder: string, flags: SendingFlags, terminal: Terminal): Promise<number> {
  return send(LOAD, folder, flags, terminal);
}

const LOAD: SendingCommand = {
  name: 'load',
  begin: (session, context) => {
    const { journal, work } = session;
    const { preparations, terminal, reading } = context;
    const counts = [...preparations].map(
      ([kind, { rows }]) => [kind, { settled: journal.state.of(kind).settled, rows }] as const,
    );
    const ledger = new JournalLedger(journal, terminal.clock);
    return Promise.resolve({
      ledger,
      checked: (running) => checkedFiles(session, context, ledger, running),
      kinds: counts.filter(([, { settled, rows }]) => settled < rows).map(([kind]) => kind),
      counts: new Map(counts),
      rows: async function* (kind) {
        const preparation = preparations.get(kind);
        if (!preparation) return;
        yield* readRows(preparation, readingOptions(kind, work, reading), journal.state.of(kind).done);
      },
    });
  },
};
