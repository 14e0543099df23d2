import { DataImportError } from '@data-import/client';
import { check, type Missed } from '../check/check.js';
import type { Kind } from '../kinds/kinds.js';
import { countText } from '../report/progress.js';
import { ClientSource } from '../verify/client-source.js';
import type { SendingOptions } from './options.js';
import { clientFor, type Run } from './run.js';
import type { Sending } from './send.js';
import { stopBecauseOf } from './supplier.js';
import type { Terminal } from './terminal.js';

export interface CheckAllOptions {
  readonly options: SendingOptions;
  readonly terminal: Terminal;
  readonly running: Run;
  readonly send: (kinds: readonly Kind[]) => Promise<void>;
}

/**
 * Look for the rows that were sent. A check that does not come to its end stops the run.
 *
 * @returns whether it came to its end
 * Source: choice L14.
 */
export async function checkAll(
  sending: Sending,
  { options, terminal, running, send }: CheckAllOptions,
): Promise<boolean> {
  const { stop, progress } = running;
  const { concurrency, giveUpAfterMs, supplier, isDryRun } = options;
  const retry = { giveUpAfterMs, attempts: Infinity };
  const client = clientFor(options, running, { connections: concurrency + 1, retry });
  try {
    const checked = await sending.checked(running);
    progress.kind('checked', 0, sum([...sending.counts.values()].map(({ rows }) => rows)));
    const sendAgain = async (missed: Missed): Promise<void> => {
      for (const [kind, count] of missed) {
        const { rows: all } = sending.counts.get(kind) ?? { rows: count };
        progress.kind(kind, all - count, all);
      }
      await send([...missed.keys()]);
      progress.kind('checked', 0, sum(missed.values()));
    };
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
    const count = sum(missed.values());
    if (count > 0)
      terminal.say(
        `Rows that were acknowledged and are missing at the service, for example because an import was undone, were sent again: ${countText(count)}.`,
      );
    return true;
  } catch (error) {
    if (stop.signal.aborted) return false;
    if (!(error instanceof DataImportError)) throw error;
    stopBecauseOf(error, giveUpAfterMs, stop);
    return false;
  } finally {
    client.close();
  }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
