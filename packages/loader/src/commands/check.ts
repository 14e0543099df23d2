import { DataImportError } from '@data-import/client';
import { check } from '../check/check.js';
import type { Kind } from '../kinds/kinds.js';
import { countText } from '../report/progress.js';
import { ClientSource } from '../verify/client-source.js';
import type { SendingOptions } from './options.js';
import { clientFor, type Run } from './run.js';
import type { Sending } from './send.js';
import type { Session } from './session.js';
import { stopBecauseOf } from './supplier.js';
import type { Terminal } from './terminal.js';

export interface CheckAllOptions {
  readonly options: SendingOptions;
  readonly terminal: Terminal;
  readonly running: Run;
  readonly sendAgain: (kinds: readonly Kind[]) => Promise<void>;
}

/**
 * Look for the rows that were sent, and write down that all were seen. A check that does not come to its end stops the run.
 *
 * Source: choice L14.
 */
export async function checkAll(
  { journal }: Session,
  sending: Sending,
  { options, terminal, running, sendAgain }: CheckAllOptions,
): Promise<void> {
  const { stop, progress } = running;
  const { concurrency, giveUpAfterMs, supplier, isDryRun } = options;
  const retry = { giveUpAfterMs, attempts: Infinity };
  const client = clientFor(options, running, { connections: concurrency + 1, retry });
  try {
    const checked = await sending.checked(running);
    const rows = [...sending.counts.values()].reduce((sum, of) => sum + of.rows, 0);
    progress.kind('checked', 0, rows);
    const missed = await check(checked, {
      source: new ClientSource(client, supplier),
      concurrency,
      signal: stop.signal,
      isDryRun,
      sendAgain,
      progress: (looked) => {
        progress.settled('checked', looked, 0);
      },
    });
    if (missed > 0)
      terminal.say(
        `Rows that had been acknowledged and were not at the service any more, since an import was undone for example, were sent again: ${countText(missed)}.`,
      );
    journal.append({ event: 'checked', at: terminal.clock.now() });
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!(error instanceof DataImportError)) throw error;
    stopBecauseOf(error, giveUpAfterMs, stop);
  } finally {
    client.close();
  }
}
