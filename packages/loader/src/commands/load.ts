import { placeText } from '@data-import/files';
import { Intervals } from '../rows/intervals.js';
import { readRows } from '../rows/read-rows.js';
import { JournalLedger } from '../send/journal-ledger.js';
import { checkedFiles } from './checked-rows.js';
import { importedSince } from './imported-since.js';
import { runLoad, type LoadCommand } from './load-run.js';
import type { LoadFlags } from './options.js';
import { readingOptions, type ReadSession } from './session.js';
import type { Terminal } from './terminal.js';

/** Send every unsettled row of a folder. @returns the exit code */
export function load(folder: string, flags: LoadFlags, terminal: Terminal): Promise<number> {
  return runLoad(LOAD, folder, flags, terminal);
}

const LOAD: LoadCommand = {
  name: 'load',
  plan: async (session) => {
    const { options, terminal, journal, preparations } = session;
    const { limit } = options;
    const isFirst = limit === undefined ? undefined : firstAccounts(limit);
    if (options.isDryRun) await sayMapped(session);
    const since = await importedSince(session);
    const counts = [...preparations].map(([kind, { rows }]) => {
      const settled = journal.state.of(kind).settled - (since.counts.get(kind) ?? 0);
      return [kind, { settled, rows }] as const;
    });
    const ledger = new JournalLedger(journal, terminal.clock, since.rows);
    return {
      ledger,
      checkedRows: () => checkedFiles(session, ledger, isFirst),
      kinds: counts
        .filter(([, { settled, rows }]) => isFirst !== undefined || settled < rows)
        .map(([kind]) => kind),
      counts: new Map(counts),
      takenUp: () => ledger.takenUp,
      rows: async function* (kind) {
        const preparation = preparations.get(kind);
        if (!preparation) return;
        const { done } = journal.state.of(kind);
        const from = readingOptions(kind, session);
        const again = since.rows.get(kind);
        if (!isFirst) {
          yield* readRows(preparation, from, done.without(again));
          return;
        }
        // Read all rows: the first accounts must stay the same whatever is settled.
        for await (const rows of readRows(preparation, from, new Intervals()))
          yield rows.filter(
            ({ account, start }) => isFirst(account) && (!done.has(start) || again?.has(start)),
          );
      },
    };
  },
};

/** Show a row of each kind as the mapping sends it, so that a wrong mapping is seen before all rows are sent. */
async function sayMapped(session: ReadSession): Promise<void> {
  for (const [kind, preparation] of session.preparations) {
    const reading = readingOptions(kind, session);
    if (reading.mapping.text === '') continue;
    for await (const rows of readRows(preparation, reading, new Intervals())) {
      const row = rows.find((one) => one.error === undefined);
      if (!row) continue;
      const { account, item, origin } = row;
      session.terminal.say(`${kind} as they are sent: ${placeText(origin)}, account ${account}: ${item}`);
      break;
    }
  }
}

/** @returns whether an account is among the first accounts, up to the limit (choice L4) */
function firstAccounts(limit: number): (account: string | undefined) => boolean {
  const accounts = new Set<string>();
  return (account) => {
    if (account === undefined) return false;
    if (accounts.size < limit) accounts.add(account);
    return accounts.has(account);
  };
}
