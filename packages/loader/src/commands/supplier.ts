import { DataImportError, type DataImportClient } from '@data-import/client';
import type { Stop } from '../common/stop.js';
import { refusedText, whyNotAnswered } from '../send/answer.js';
import { answerOf } from '../send/transport.js';

/**
 * Find out whether the API key may use a supplier: an import request does not tell an unknown supplier from an unknown account
 * (choice A8). If not, or if the service does not answer, the run is stopped.
 *
 * @returns the status of the supplier: `ongoing`, `paused` or `complete`
 */
export async function findSupplier(
  client: DataImportClient,
  { supplier, giveUpAfterMs }: { readonly supplier: string; readonly giveUpAfterMs: number },
  stop: Stop,
): Promise<string | undefined> {
  try {
    const retry = { giveUpAfterMs, attempts: Infinity };
    const { importSuppliers } = await client.viewer({ signal: stop.signal, retry });
    const found = importSuppliers.find(({ code }) => code === supplier);
    if (found) return found.status;
    const known = importSuppliers.map(({ code }) => code);
    const hint = known.length === 0 ? 'It may use none.' : `It may use ${known.join(', ')}.`;
    const sentence = `The API key may not use the import supplier ${supplier}, or there is none of this code. ${hint}`;
    stop.because({ is: 'refused', sentence, isUsage: true });
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    if (!(error instanceof DataImportError)) throw error;
    stopBecauseOf(error, giveUpAfterMs, stop);
  }
  return undefined;
}

/** Stop a run because of an error of the client that ends it. */
export function stopBecauseOf(error: DataImportError, giveUpAfterMs: number, stop: Stop): void {
  if (error.retryable) {
    stop.because({ is: 'away', forMs: giveUpAfterMs, why: whyNotAnswered(answerOf(error)) });
    return;
  }
  stop.because({ is: 'refused', sentence: refusedText(answerOf(error), error), isUsage: true });
}
