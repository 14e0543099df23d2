import { OPEN_FROM, requestOf, STORED, type ImportRequest } from './crashes.js';
import type { PairServer } from './standby.js';
import { clientOf, givenIn, type AccountPair, type TestClient, type World } from './service.js';
import { waitUntil } from './wait-until.js';

const ACCOUNTS = 6;

/** An answer with 201, and when it came. */
interface Answer {
  readonly atMs: number;
  readonly durationMs: number;
}

/** What was sent and what was stored, each a list of rows. */
export interface LoadResult {
  readonly requests: number;
  readonly answered: number;
  /** What was answered, or why nothing was, instead of 201. */
  readonly failures: readonly string[];
  /** Of an answer with 201, in milliseconds. */
  readonly longestMs: number;
  readonly sent: readonly string[];
  readonly stored: readonly string[];
}

/**
 * Callers that import without a pause until they are stopped, and repeat each request until it is answered 201, after a
 * lost connection and after 503 alike.
 */
export class ImportLoad {
  readonly answers: Answer[] = [];
  private readonly sent: string[] = [];
  private readonly failures: string[] = [];
  private requests = 0;
  private unavailable = 0;
  private isStopping = false;
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly connect: () => Pick<TestClient, 'post'>,
    private readonly world: World,
    private readonly accounts: readonly AccountPair[],
    callers: number,
  ) {
    this.running = Promise.all(Array.from({ length: callers }, () => this.call()));
    // Whoever waits for more answers, or for the end, is told.
    this.running.catch(() => undefined);
  }

  /**
   * @param to address of the service, or what makes the client of each caller
   * @param server where the accounts are created: the primary
   */
  static async start(
    to: string | (() => Pick<TestClient, 'post'>),
    server: Pick<PairServer, 'url' | 'sql'>,
    callers: number,
  ): Promise<ImportLoad> {
    const given = givenIn(server);
    const world = await given.supplier();
    const accounts: AccountPair[] = [];
    for (let account = 0; account < ACCOUNTS; account += 1) {
      accounts.push((await given.importedAccount({ world, from: OPEN_FROM })).ref);
    }
    return new ImportLoad(typeof to === 'string' ? () => clientOf(to) : to, world, accounts, callers);
  }

  /** Wait until so many further requests are answered. */
  async more(count: number): Promise<void> {
    const enough = this.answers.length + count;
    const answered = waitUntil('more requests are answered', () => this.answers.length >= enough);
    await Promise.race([answered, this.running]);
  }

  /** Wait until so many further answers are 503. */
  async moreUnavailable(count: number): Promise<void> {
    const enough = this.unavailable + count;
    const unavailable = waitUntil('requests are answered 503', () => this.unavailable >= enough);
    await Promise.race([unavailable, this.running]);
  }

  /** End when every request is answered. @param server the primary */
  async stop(server: Pick<PairServer, 'sql'>): Promise<LoadResult> {
    this.isStopping = true;
    await this.running;
    const stored = await server.sql<{ line: string }>(STORED, [this.world.supplier]);
    return {
      requests: this.requests,
      answered: this.answers.length,
      failures: this.failures,
      longestMs: Math.round(Math.max(...this.answers.map(({ durationMs }) => durationMs))),
      sent: this.sent.toSorted(),
      stored: stored.map(({ line }) => line).toSorted(),
    };
  }

  private async call(): Promise<void> {
    const client = this.connect();
    while (!this.isStopping) {
      this.requests += 1;
      const request = requestOf(this.accounts[this.requests % ACCOUNTS]!, this.requests);
      this.sent.push(...request.rows);
      await this.send(client, request);
    }
  }

  private async send(client: Pick<TestClient, 'post'>, { path, payload }: ImportRequest): Promise<void> {
    let startMs = 0;
    await waitUntil('a request is answered', async () => {
      startMs = performance.now();
      const reply = await client.post(path, this.world.token, payload).catch((error: unknown) => {
        this.failures.push(String(error));
      });
      if (reply?.status === 503) {
        this.unavailable += 1;
        this.failures.push('503');
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      } else if (reply) {
        expect(reply).toMatchObject({ status: 201 });
      }
      return reply?.status === 201;
    });
    const atMs = performance.now();
    this.answers.push({ atMs, durationMs: atMs - startMs });
  }
}

/** One line about a fail-over, for whoever reads the test's output. */
export function figures(load: ImportLoad, what: string, lostAtMs: number, promotedAtMs: number): string {
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

/** Every request was answered, and its rows are there once. @returns one line about it, for the reader of the output */
export function expectNothingLost(result: LoadResult): string {
  const { requests, answered, sent, stored } = result;
  const { lost, doubled } = difference(result);
  expect({ answered, lost, doubled }).toEqual({ answered: requests, lost: 0, doubled: 0 });
  return `sent ${requests} requests (${sent.length} rows), answered ${answered}, stored ${stored.length} rows, lost ${lost}, doubled ${doubled}`;
}

/** How many rows were stored too few and too many. */
export function difference({ sent, stored }: LoadResult): { lost: number; doubled: number } {
  const times = new Map<string, number>();
  for (const row of sent) times.set(row, (times.get(row) ?? 0) - 1);
  for (const row of stored) times.set(row, (times.get(row) ?? 0) + 1);
  const counts = [...times.values()];
  return { lost: counts.filter((n) => n < 0).length, doubled: counts.filter((n) => n > 0).length };
}
