import { DataImportError, type DataImportClient } from '@data-import/client';
import type { Stop } from '../common/stop.js';
import { refusedText, whyNotAnswered } from '../send/answer.js';
import { answerOf } from '../send/transport.js';
import { VERSION } from '../common/version.js';
import type { ServiceOptions } from './options.js';
import type { Terminal } from './terminal.js';

/** The options that are needed for a command's first request. */
type Question = Pick<ServiceOptions, 'supplier' | 'baseUrl' | 'giveUpAfterMs'> & Pick<Terminal, 'say'>;

/**
 * Find out whether the API key may use a supplier, because an import request does not distinguish an unknown supplier from an unknown
 * account (choice A8). The run is stopped if it may not, if the service does not answer, or if its version does not fit.
 *
 * @returns the status of the supplier: `ongoing`, `paused` or `complete`
 */
export async function findSupplier(
  client: DataImportClient,
  { supplier, baseUrl, giveUpAfterMs, say }: Question,
  stop: Stop,
): Promise<string | undefined> {
  try {
    const retry = { giveUpAfterMs, attempts: Infinity };
    const { importSuppliers } = await client.viewer({ signal: stop.signal, retry });
    const misfit = misfitOf(VERSION, client.serviceVersion, baseUrl);
    if (misfit?.isFinal) {
      stop.because({ is: 'refused', sentence: misfit.sentence, isUsage: true });
      return undefined;
    }
    if (misfit) say(misfit.sentence);
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

/** Stop a run because of a client error. */
export function stopBecauseOf(error: DataImportError, giveUpAfterMs: number, stop: Stop): void {
  if (error.retryable) {
    stop.because({ is: 'away', forMs: giveUpAfterMs, why: whyNotAnswered(answerOf(error)) });
    return;
  }
  stop.because({ is: 'refused', sentence: refusedText(answerOf(error), error), isUsage: true });
}

/**
 * Compare the versions of loader and service. A different major version may mean a different interface and ends the run
 * before anything is sent. A different minor version is only reported. The patch version is ignored.
 *
 * @param service the version in its latest answer; undefined for a service that does not state it
 * @returns the sentence to print, and whether the run must end; undefined if the versions fit
 * Source: choice L15.
 */
export function misfitOf(
  own: string,
  service: string | undefined,
  baseUrl: string,
): { readonly sentence: string; readonly isFinal: boolean } | undefined {
  const [ours, theirs] = [own, service ?? ''].map((version) => /^(\d+)\.(\d+)\.\d/.exec(version));
  if (!ours || !theirs || (ours[1] === theirs[1] && ours[2] === theirs[2])) return undefined;
  const isFinal = ours[1] !== theirs[1];
  const place = `${baseUrl.replace(/\/+$/, '')}/docs/loader/`;
  const means = isFinal
    ? 'They are not compatible, so nothing is sent.'
    : 'They are compatible, but the older one lacks what is new in the other.';
  return {
    sentence: `This loader has version ${own}, and the service has version ${service}. ${means} The loader of the service is at ${place}.`,
    isFinal,
  };
}
