/**
 * Sends the requests of `--burst`, in a process of its own, so that its work does not delay the measurement. Started by
 * burst.ts: it prepares the bodies, reports that it is ready, sends everything when it is told to, and reports what happened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { NO_NUMBERS } from '../load/answers.js';
import { Connection, type Call } from '../load/driver.js';
import { scenarioOf, sequential } from '../load/scenarios.js';

export interface BurstOrder {
  readonly origin: string;
  readonly token: string;
  readonly requests: number;
  /** Index of the first request; no two bursts of a database have an index in common. */
  readonly firstIndex: number;
  /** No request is sent or repeated later than this. */
  readonly seconds: number;
}

export interface BurstOutcome {
  /** Requests that were stored. */
  readonly stored: number;
  /** Answers 503, also several to one request. */
  readonly refusals: number;
  /** When the last first answer to a request had arrived, and the last request was stored; since the start. */
  readonly firstAnswersMs: number;
  readonly storedMs: number;
  /** Requests that failed otherwise, and how the first of them did. */
  readonly failed: number;
  readonly failure?: string;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const UNAVAILABLE = 503;
const CREATED = 201;

async function burst({ requests, seconds, ...order }: BurstOrder): Promise<BurstOutcome> {
  const scenario = scenarioOf('transactions-500');
  const calls = Array.from(
    { length: requests },
    (_, position) => scenario.exchange(order.firstIndex + position, sequential, NO_NUMBERS).call,
  );
  const connections = calls.map(() => new Connection(order.origin, order.token));
  const outcome: Writable<BurstOutcome> = {
    stored: 0,
    refusals: 0,
    firstAnswersMs: 0,
    storedMs: 0,
    failed: 0,
  };

  process.send?.('ready');
  await new Promise((resolve) => process.once('message', resolve));

  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const untilStored = async (call: Call, connection: Connection): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await connection.send(call);
      if (tries === 1) outcome.firstAnswersMs = elapsedMs();
      if (answer.status === CREATED) {
        outcome.stored += 1;
        outcome.storedMs = elapsedMs();
        return;
      }
      const waitMs = Number(answer.headers['retry-after']) * 1_000;
      if (answer.status !== UNAVAILABLE || !(waitMs > 0)) {
        throw new Error(`status ${answer.status}: ${answer.body.toString()}`);
      }
      outcome.refusals += 1;
      if (elapsedMs() + waitMs >= seconds * 1_000) return;
      await delay(waitMs);
    }
  };
  await Promise.all(
    calls.map(async (call, position) => {
      try {
        await untilStored(call, connections[position]!);
      } catch (error) {
        outcome.failed += 1;
        outcome.failure ??= `${String(error)} after ${elapsedMs().toFixed(0)} ms`;
      }
    }),
  );
  await Promise.all(connections.map((connection) => connection.close()));
  return outcome;
}

const outcome = await burst(JSON.parse(process.argv[2] ?? '') as BurstOrder);
process.send?.(outcome, () => {
  process.disconnect();
});
