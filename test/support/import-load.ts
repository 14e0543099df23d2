import { differenceOf, MOVED_WITHOUT_NOTE, OPEN_FROM, requestOf, STORED } from './import-requests.js';
import type { Difference, ImportRequest } from './import-requests.js';
import { miscounted } from './miscounted.js';
import type { PairServer } from './standby.js';
import {
  clientOf,
  givenIn,
  unique,
  type AccountPair,
  type Reply,
  type TestClient,
  type World,
} from './service.js';
import { elapse, waitUntil } from './wait-until.js';

const ACCOUNTS = 6;
/** Longer than the service takes at most to answer. */
const ANSWER_TIMEOUT_MS = 30_000;
/** First pause of a client that got no answer; doubled each time. */
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5_000;
/** Pause of clients with `at-once`, to leave processor time to the service that they wait for. */
const AT_ONCE_MS = 50;
/** After this long without success, a request counts as unanswered. */
const REQUEST_TIMEOUT_MS = 120_000;

/** The database in which accounts are created and, at the end, items counted. */
export type LoadDatabase = Pick<PairServer, 'url' | 'sql'>;

/** A client of the service. */
export type Poster = Pick<TestClient, 'post'>;

/** When a 201 arrived, and how long it took. */
interface Answer {
  readonly atMs: number;
  readonly durationMs: number;
}

export interface LoadOptions {
  /**
   * How a request is retried: `documented` follows docs/write-a-client.md ("Handle failures"); `at-once` makes no long pauses, so that
   * more requests hit a failure.
   */
  readonly repeats?: 'documented' | 'at-once';
  /** Whether every request is sent twice concurrently; otherwise every third one. */
  readonly isSentTwice?: boolean;
  readonly vendor?: 'SANDBOX' | 'STRIPE';
}

/** What was sent, acknowledged and stored. */
export interface LoadResult extends Difference {
  /** Distinct import requests. */
  readonly requests: number;
  /** Sent requests, including copies and retries. */
  readonly sends: number;
  /** Requests and copies answered 201. */
  readonly answered: number;
  /** Requests and copies never answered 201. */
  readonly unanswered: number;
  /** Items of the requests answered 201. */
  readonly acknowledged: number;
  readonly stored: number;
  /** Names of the supplier's totals that do not agree with the rows. */
  readonly miscounted: readonly string[];
  /** The answers other than 201, and the errors of requests without an answer. */
  readonly failures: readonly string[];
  /** Longest time from the first attempt of a request to its 201. */
  readonly longestMs: number;
}

/**
 * Callers that continuously import items of every kind until they are stopped. They retry each request until it is answered
 * 201, after a lost connection as well as after 503.
 */
export class ImportLoad {
  readonly answers: Answer[] = [];
  private readonly name = unique('load');
  private readonly acknowledged: string[] = [];
  private requests = 0;
  private copies = 0;
  private sends = 0;
  private unavailable = 0;
  private readonly failures: string[] = [];
  private isStopping = false;
  private readonly running: Promise<unknown>;

  /** Code of the supplier. */
  get supplier(): string {
    return this.world.supplier;
  }

  private constructor(
    private readonly connect: () => Poster,
    private readonly world: World,
    private readonly accounts: readonly AccountPair[],
    callers: number,
    private readonly options: LoadOptions,
  ) {
    this.running = Promise.all(Array.from({ length: callers }, () => this.call()));
    // `until` and `stop` report the failure.
    this.running.catch(() => undefined);
  }

  /**
   * @param to address of the service, or a function that makes the client of each caller
   * @param database the primary, in which the accounts are created
   */
  static async start(
    to: string | (() => Poster),
    database: LoadDatabase,
    callers: number,
    options: LoadOptions = {},
  ): Promise<ImportLoad> {
    const given = givenIn(database);
    const world = await given.supplier();
    const accounts: AccountPair[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) {
      accounts.push((await given.importedAccount({ world, from: OPEN_FROM })).ref);
    }
    const connect = typeof to === 'string' ? roundRobin(() => [to]) : to;
    return new ImportLoad(connect, world, accounts, callers, options);
  }

  /** Wait until `count` more requests are answered 201. */
  async more(count: number): Promise<void> {
    const enough = this.answers.length + count;
    await this.until('more requests are answered', () => this.answers.length >= enough);
  }

  /** Wait until `count` more requests are answered 503. */
  async moreUnavailable(count: number): Promise<void> {
    const enough = this.unavailable + count;
    await this.until('requests are answered 503', () => this.unavailable >= enough);
  }

  /** Wait until `count` more requests fail: answered otherwise than 201, or not at all. */
  async moreFailures(count: number): Promise<void> {
    const enough = this.failures.length + count;
    await this.until('requests fail', () => this.failures.length >= enough);
  }

  /**
   * Stop once every request is answered, and compare the acknowledged items with the stored ones.
   *
   * @param database the primary
   * @throws Error when a date was moved without a note that explains it
   */
  async stop(database: LoadDatabase): Promise<LoadResult> {
    this.isStopping = true;
    await this.running;
    const { supplier } = this.world;
    const stored = (await database.sql<{ line: string }>(STORED, [supplier])).map(({ line }) => line);
    const unexplained = await database.sql(MOVED_WITHOUT_NOTE, [supplier]);
    if (unexplained.length > 0) throw new Error(`${unexplained.length} requests moved dates without a note.`);
    return {
      requests: this.requests,
      sends: this.sends,
      answered: this.answers.length,
      unanswered: this.copies - this.answers.length,
      acknowledged: this.acknowledged.length,
      stored: stored.length,
      miscounted: await miscounted(database, supplier),
      failures: this.failures,
      longestMs: Math.max(0, ...this.answers.map(({ durationMs }) => durationMs)),
      ...differenceOf(this.acknowledged, stored),
    };
  }

  private async until(what: string, isSo: () => boolean): Promise<void> {
    await Promise.race([waitUntil(what, isSo), this.running]);
  }

  private async call(): Promise<void> {
    const client = this.connect();
    while (!this.isStopping) {
      this.requests += 1;
      const serial = this.requests;
      const account = this.accounts[serial % ACCOUNTS]!;
      const request = requestOf(account, `${this.name}-${serial}`, serial, this.options.vendor);
      const copies = this.options.isSentTwice === true || serial % 3 === 0 ? 2 : 1;
      this.copies += copies;
      await Promise.all(Array.from({ length: copies }, () => this.send(client, request)));
      this.acknowledged.push(...request.items);
    }
  }

  private async send(client: Poster, request: ImportRequest): Promise<void> {
    const { path, payload } = request;
    const startMs = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      this.sends += 1;
      const reply = await client.post(path, this.world.token, payload).catch((error: unknown) => {
        this.failures.push(String(error));
        return undefined;
      });
      const atMs = performance.now();
      if (reply?.status === 201) {
        this.answers.push({ atMs, durationMs: atMs - startMs });
        return;
      }
      if (reply) this.failures.push(String(reply.status));
      if (atMs - startMs > REQUEST_TIMEOUT_MS) {
        const last = this.failures.slice(-3).join('; ');
        throw new Error(
          `${path} was not answered 201 in ${REQUEST_TIMEOUT_MS / 1_000} seconds. The last answers: ${last}`,
        );
      }
      await elapse(this.pauseMs(request, reply, attempt));
    }
  }

  /** Source: docs/write-a-client.md, "Handle failures". */
  private pauseMs({ path }: ImportRequest, reply: Reply | undefined, attempt: number): number {
    const seconds = reply?.headers.get('retry-after') ?? '';
    if (reply?.status === 503) this.unavailable += 1;
    const isRetryable = reply?.status === 503 ? /^[1-9]\d*$/.test(seconds) : isVendorAway(reply);
    if (reply !== undefined && !isRetryable) {
      const answer = JSON.stringify(reply.body);
      throw new Error(`${path} was answered ${reply.status}, Retry-After "${seconds}": ${answer}`);
    }
    if (this.options.repeats !== 'documented') return AT_ONCE_MS;
    return reply?.status === 503 ? Number(seconds) * 1_000 : Math.min(PAUSE_MS * 2 ** attempt, PAUSE_MAX_MS);
  }
}

/**
 * Clients that distribute their requests over addresses, round robin.
 *
 * @param origins called before each request
 * @param timeoutMs how long a client waits for an answer
 */
export function roundRobin(origins: () => readonly string[], timeoutMs = ANSWER_TIMEOUT_MS): () => Poster {
  let sent = 0;
  return () => ({
    post: (path, token, payload) => {
      const addresses = origins();
      sent += 1;
      return clientOf(addresses[sent % addresses.length]!).call(path, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        signal: AbortSignal.timeout(timeoutMs),
      });
    },
  });
}

/** The only expected answer with 500 (choice P4). */
function isVendorAway(reply: Reply | undefined): boolean {
  return reply?.status === 500 && (reply.body as { code?: string }).code === 'payment_vendor_unavailable';
}

/** A one-line summary of a fail-over for the test's output. */
export function timesOf(load: ImportLoad, what: string, lostAtMs: number, promotedAtMs: number): string {
  const after = load.answers.filter(({ atMs }) => atMs > promotedAtMs);
  const before = load.answers.filter(({ atMs }) => atMs < lostAtMs);
  const firstMs = Math.min(...after.map(({ atMs }) => atMs));
  return [
    `${what}: ${Math.round(promotedAtMs - lostAtMs)} ms until the promotion`,
    `first 201 ${Math.round(firstMs - promotedAtMs)} ms after it`,
    `p99 ${p99(before)} ms before, ${p99(after)} ms after`,
  ].join(', ');
}

function p99(answers: readonly Answer[]): number {
  const durations = answers.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  return Math.round(durations[Math.floor(durations.length * 0.99)] ?? NaN);
}

/** Expect that every request was answered, its items are stored once and the totals count them. @returns a one-line summary */
export function expectNothingLost(result: LoadResult): string {
  const { unanswered, lost, doubled, unknown, miscounted: wrong } = result;
  const line = describeResult(result);
  if (unanswered + lost + doubled + unknown + wrong.length > 0) throw new Error(line);
  return line;
}

/** A one-line summary of the result. */
export function describeResult(result: LoadResult): string {
  const { requests, sends, unanswered, acknowledged, stored, lost, doubled, unknown } = result;
  const totals = result.miscounted.length === 0 ? 'agree' : `differ in ${result.miscounted.join(', ')}`;
  return (
    `${requests} requests were sent ${sends} times, ${unanswered} not answered; ` +
    `${acknowledged} items acknowledged, ${stored} stored, ${lost} lost, ${doubled} doubled, ${unknown} unknown; the totals ${totals}`
  );
}
