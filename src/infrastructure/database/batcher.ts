import { sqlState } from '../errors/sql-state.js';
import type { SupplierWork, Tx, UnitOfWork } from './unit-of-work.js';

/** When this many rows are pending, they are sent without waiting for the running query. */
const FLUSH_ROWS = 80;
/** Maximum size of one shared query. */
const BATCH_REQUESTS_MAX = 16;
const BATCH_ROWS_MAX = 1_000;
/** Maximum number of concurrent queries of one group, unless a request has waited for {@link WAIT_MS_MAX}. */
const RUNNING_MAX = 4;
/** Maximum time that a request waits for others of its group. It may wait longer for a connection (../limits/fair-queue.ts). */
const WAIT_MS_MAX = 20;

/**
 * SQLSTATEs of a query that PostgreSQL rejected because of its content, and rolled back: cardinality violation, data, constraint,
 * lost race, trigger exception, lock timeout, statement timeout.
 */
const REJECTION = /^(21|22|23|40|P0|55P03|57014)/;

interface Pending<Request, Answer> {
  readonly request: Request;
  readonly rows: number;
  readonly key: string | undefined;
  readonly sinceMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests of one group and owner. */
interface Queue<Request, Answer> {
  readonly id: string;
  readonly group: number;
  readonly owner: string | undefined;
  pending: Pending<Request, Answer>[];
  pendingRows: number;
  /** Running queries, including one that waits for a connection. */
  running: number;
  /** Whether the next query is waiting for a connection. It is formed from the pending requests when it gets one. */
  isWaiting: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The common part of requests that may share a query. */
export interface SharedQuery<Request, Answer> {
  /**
   * Answer several requests of one group with one query.
   *
   * @returns one answer for each request, in the order of the requests
   */
  execute(tx: Tx, group: number, requests: readonly Request[]): Promise<readonly Answer[]>;
  /**
   * The owner that waits for connections in the fair queue (../limits/fair-queue.ts). Requests of two owners never share a query,
   * so none waits for another owner's requests. Without an owner, a query is sent at once.
   */
  ownerOf(request: Request): string | undefined;
  /** The number of rows that a request affects; 1 by default. */
  rowsOf?(request: Request): number;
  /** Two requests with the same key never share a query. Requests without a key may. */
  keyOf?(request: Request): string;
}

/** Numbers of waiting and sent requests, for the metrics. */
export interface BatcherLoad {
  /** Shared queries since the start, and the requests in them. A request that is retried alone counts again. */
  readonly sent: { readonly queries: number; readonly requests: number };
  /** Requests that wait for a query. */
  readonly waitingCount: number;
}

/**
 * Lets small requests that arrive at the same time share one query, its start and its commit.
 *
 * A request that arrives alone is sent at once, so batching costs nothing under low load. Each request gets its own answer: if
 * PostgreSQL rejects a shared query, nothing of it was stored, and each of its requests is retried alone, so that none fails
 * because of another.
 *
 * Source: decisions 9 and 26 (docs/decisions/).
 */
export class Batcher<Request, Answer> implements BatcherLoad {
  readonly sent = { queries: 0, requests: 0 };
  /** Only queues with a request that waits or runs. */
  private readonly queues = new Map<string, Queue<Request, Answer>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly query: SharedQuery<Request, Answer>,
  ) {}

  get waitingCount(): number {
    return [...this.queues.values()].reduce((count, { pending }) => count + pending.length, 0);
  }

  /** @param group id of a supplier. Requests of a group may share a query; groups do not wait for each other */
  enqueue(group: number, request: Request): Promise<Answer> {
    const queue = this.queueOf(group, this.query.ownerOf(request));
    const rows = this.query.rowsOf?.(request) ?? 1;
    const key = this.query.keyOf?.(request);
    return new Promise((resolve, reject) => {
      queue.pending.push({ request, rows, key, sinceMs: performance.now(), resolve, reject });
      queue.pendingRows += rows;
      // Requests that arrive in the same iteration of the event loop are sent together.
      if (queue.pending.length === 1) setImmediate(this.flush, queue);
      else if (queue.pendingRows >= FLUSH_ROWS) this.flush(queue);
    });
  }

  private queueOf(group: number, owner: string | undefined): Queue<Request, Answer> {
    const id = `${group} ${owner ?? ''}`;
    let queue = this.queues.get(id);
    if (!queue) {
      queue = {
        id,
        group,
        owner,
        pending: [],
        pendingRows: 0,
        running: 0,
        isWaiting: false,
        timer: undefined,
      };
      this.queues.set(id, queue);
    }
    return queue;
  }

  /** Send all requests that may be sent now. */
  private readonly flush = (queue: Queue<Request, Answer>): void => {
    while (isReady(queue)) void this.send(queue);
    const [oldest] = queue.pending;
    if (!oldest || queue.isWaiting) return;
    // If the timer fires for a request that was sent meanwhile, it is set again for the oldest remaining one. On a busy machine
    // the time may already be over, and Node.js 24 warns about a negative delay.
    queue.timer ??= setTimeout(
      () => {
        queue.timer = undefined;
        this.flushOverdue(queue);
      },
      Math.max(0, oldest.sinceMs + WAIT_MS_MAX - performance.now()),
    );
  };

  private flushOverdue(queue: Queue<Request, Answer>): void {
    const overdue = performance.now() - WAIT_MS_MAX;
    while (!queue.isWaiting && queue.pending[0] && queue.pending[0].sinceMs <= overdue) void this.send(queue);
    this.flush(queue);
  }

  /** Never rejects. */
  private async send(queue: Queue<Request, Answer>): Promise<void> {
    queue.running += 1;
    queue.isWaiting = true;
    const settle = await this.answer(queue);
    queue.running -= 1;
    this.flush(queue);
    // The next query is sent before the callers continue with these answers.
    setImmediate(settle);
    if (queue.running > 0) return;
    clearTimeout(queue.timer);
    this.queues.delete(queue.id);
  }

  /**
   * Remove from the queue the oldest request and all others that may share its query. They are sorted by key, so that two queries
   * that touch the same rows lock them in the same order and cannot deadlock.
   */
  private nextBatch(queue: Queue<Request, Answer>): Pending<Request, Answer>[] {
    const batch: Pending<Request, Answer>[] = [];
    const remaining: Pending<Request, Answer>[] = [];
    const keys = new Set<string>();
    let rows = 0;
    for (const request of queue.pending) {
      const isFull =
        batch.length === BATCH_REQUESTS_MAX || (batch.length > 0 && rows + request.rows > BATCH_ROWS_MAX);
      if (isFull || (request.key !== undefined && keys.has(request.key))) {
        remaining.push(request);
        continue;
      }
      batch.push(request);
      rows += request.rows;
      if (request.key !== undefined) keys.add(request.key);
    }
    queue.pendingRows -= rows;
    queue.pending = remaining;
    queue.isWaiting = false;
    // Remaining requests that have waited long enough are also sent now: on a busy machine the next iteration of the event loop
    // is far away.
    if (remaining.length > 0) {
      queueMicrotask(() => {
        this.flushOverdue(queue);
      });
    }
    return keys.size > 1 ? batch.sort(byKey) : batch;
  }

  /**
   * Never rejects.
   *
   * @param alone a request to retry alone; without it, the batch is formed when there is a connection for it
   * @returns a function that settles the promises of the requests; requests that were retried alone are already settled
   */
  private async answer(queue: Queue<Request, Answer>, alone?: Pending<Request, Answer>): Promise<() => void> {
    const { group, owner } = queue;
    let batch = alone && [alone];
    const send = (node: SupplierWork): Promise<readonly Answer[]> => {
      // This runs again if the rows of the supplier were moved; the batch stays the same.
      const requests = (batch ??= this.nextBatch(queue)).map(({ request }) => request);
      this.sent.queries += 1;
      this.sent.requests += requests.length;
      return node.query((tx) => this.query.execute(tx, group, requests));
    };
    try {
      const answers = await this.work.atSupplier(group, (node) =>
        owner === undefined ? send(node) : node.inFairQueue(owner, () => send(node)),
      );
      return () => {
        for (const [index, { resolve }] of (batch ?? []).entries()) resolve(answers[index] as Answer);
      };
    } catch (error) {
      // If no connection was available, the batch was never formed. Its requests must not wait forever.
      const failed = (batch ??= this.nextBatch(queue));
      if (failed.length > 1 && isRejection(error)) {
        await Promise.all(failed.map((request) => this.answerAlone(queue, request)));
        return () => undefined;
      }
      return () => {
        for (const { reject } of failed) reject(error);
      };
    }
  }

  /** Settles at once: another request of the batch may have to wait for a lock as long as the shared query did. */
  private async answerAlone(queue: Queue<Request, Answer>, request: Pending<Request, Answer>): Promise<void> {
    const settle = await this.answer(queue, request);
    settle();
  }
}

function byKey(
  { key: one = '' }: { readonly key: string | undefined },
  other: { readonly key: string | undefined },
): number {
  return one < (other.key ?? '') ? -1 : 1;
}

/** Small requests wait for the running query and are then sent together. Large ones gain nothing by waiting. */
function isReady<R, A>({ pending, pendingRows, running, isWaiting }: Queue<R, A>): boolean {
  if (pending.length === 0 || isWaiting) return false;
  return running === 0 || (pendingRows >= FLUSH_ROWS && running < RUNNING_MAX);
}

/**
 * Whether PostgreSQL rejected the query because of its content and rolled it back. After a lost connection it is unknown what was
 * stored, so the caller gets that error unchanged.
 */
function isRejection(error: unknown): boolean {
  return REJECTION.test(sqlState(error) ?? '');
}
