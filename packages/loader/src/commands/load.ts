import { readRows } from '../rows/read-rows.js';
import type { Kind } from '../kinds/kinds.js';
import type { Preparation, ReadRow } from '../rows/row.js';
import { JournalLedger } from '../send/journal-ledger.js';
import { send, type SendingCommand } from './send.js';
import type { SendingFlags } from './options.js';
import { readingOptions, type Session } from './session.js';
import type { Terminal } from './terminal.js';

/** Send every row of a folder that is not settled. @returns the exit code */
export function load(folder: string, flags: SendingFlags, terminal: Terminal): Promise<number> {
  return send(LOAD, folder, flags, terminal);
}

const LOAD: SendingCommand = {
  name: 'load',
  begin: ({ journal, work }, { options, preparations, terminal, stop, reading }) => {
    const progress = ({
      kind,
      bytes,
      bytesTotal,
    }: {
      kind: Kind;
      bytes: number;
      bytesTotal: number;
    }): void => {
      reading(kind, bytesTotal === 0 ? 1 : bytes / bytesTotal);
    };
    const counts = [...preparations].map(
      ([kind, { rows }]) => [kind, { settled: journal.state.of(kind).settled, rows }] as const,
    );
    return Promise.resolve({
      ledger: new JournalLedger(journal, terminal.clock),
      kinds: counts.filter(([, { settled, rows }]) => settled < rows).map(([kind]) => kind),
      counts: new Map(counts),
      rows: (kind) =>
        openRows(
          { journal },
          preparations.get(kind),
          readingOptions(kind, { work, options, stop, progress }),
        ),
    });
  },
};

async function* openRows(
  { journal }: Pick<Session, 'journal'>,
  preparation: Preparation | undefined,
  reading: ReturnType<typeof readingOptions>,
): AsyncGenerator<readonly ReadRow[]> {
  if (!preparation) return;
  yield* readRows(preparation, reading, journal.state.of(preparation.kind).done);
}
