import { setTimeout as delay } from 'node:timers/promises';
import { SUPPLIER } from '../contenders/fixture.js';
import type { Contender } from '../contenders/contender.js';
import { NO_NUMBERS } from '../load/answers.js';
import { after, drive, withConnections } from '../load/driver.js';
import { scenarioOf, sequential } from '../load/scenarios.js';
import { median, percentile } from '../load/statistics.js';
import { grouped } from '../report.js';
import type { BenchRun } from '../run.js';
import { platformToken } from './platform-token.js';

const CLIENTS = 20;
const SECONDS = 15;
/** How long the reader waits for changes; the service allows at most 30 s. */
const WAIT_SECONDS = 20;
/** Time for the last changes to be numbered. */
const LAST_CHANGES_MS = 2_000;

interface Page {
  readonly changes: readonly { readonly time?: string }[];
  readonly cursor: string;
}

/**
 * Measure how long a change takes from its transaction to a waiting reader, while clients import.
 *
 * @returns a row: clients, changes, median and p99 in milliseconds
 * @throws Error when an import or a read fails
 */
export async function measureDelivery(run: BenchRun): Promise<string[]> {
  const database = await run.createDatabase('bench_delivery');
  const service = await run.serve('service with a waiting reader', database);
  const token = await platformToken(service, database);
  let cursor = '';
  for (let isMore = true; isMore;) {
    const page = await read(service, token, cursor);
    isMore = page.changes.length > 0;
    ({ cursor } = page);
  }
  run.log(`${CLIENTS} clients import for ${SECONDS} s while a reader waits for the changes`);
  const stop = new AbortController();
  const reading = delaysMs(service, token, cursor, stop.signal);
  const scenario = scenarioOf('transactions-20');
  let index = 0;
  const { requests } = await withConnections(CLIENTS, service, (connections) =>
    drive(connections, () => scenario.exchange(index++, sequential, NO_NUMBERS), after(SECONDS)),
  );
  await delay(LAST_CHANGES_MS);
  stop.abort();
  const delays = await reading;
  if (delays.length < requests) throw new Error(`${delays.length} of ${requests} changes were read.`);
  return [
    grouped(CLIENTS),
    grouped(delays.length),
    grouped(median(delays)),
    grouped(percentile(delays, 0.99)),
  ];
}

/** Read until the signal. @returns for each change, the milliseconds from its time to the end of the answer */
async function delaysMs(
  service: Contender,
  token: string,
  from: string,
  signal: AbortSignal,
): Promise<number[]> {
  const delays: number[] = [];
  let cursor = from;
  while (!signal.aborted) {
    const page = await read(service, token, cursor, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!page) break;
    const nowMs = Date.now();
    for (const { time } of page.changes) if (time !== undefined) delays.push(nowMs - Date.parse(time));
    ({ cursor } = page);
  }
  return delays;
}

/** @param signal ends a read that waits for changes; without it, the read does not wait */
async function read(
  { origin }: Contender,
  token: string,
  cursor: string,
  signal?: AbortSignal,
): Promise<Page> {
  const query = new URLSearchParams({
    ...(cursor !== '' && { cursor }),
    ...(signal && { wait: String(WAIT_SECONDS) }),
  });
  const response = await fetch(`${origin}/v1/platform/import-suppliers/${SUPPLIER}/changes/?${query}`, {
    headers: { authorization: `Token ${token}` },
    ...(signal && { signal }),
  });
  if (response.status !== 200)
    throw new Error(`The feed answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}
