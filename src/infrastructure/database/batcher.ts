import { sqlState } from '../errors/sql-state.js';
import type { SupplierWork, Tx, UnitOfWork } from './unit-of-work.js';

/** So many waiting rows are sent without waiting for the running query. */
const FLUSH_ROWS = 80;
/** Upper limits of one shared query. */
const BATCH_REQUESTS_MAX = 16;
const BATCH_ROWS_MAX = 1_000;
/** Queries of one group that run at the same time, unless a request has waited for {@link WAIT_MS_MAX}. */
const RUNNING_MAX = 4;
/** No request waits longer than this for others of its group, except for a connection (../budget/turns.ts). */
const WAIT_MS_MAX = 20;

/**
 * SQLSTATEs of a query that PostgreSQL rejected because of its content, and rolled back: number of rows, data, constraint,
 * lost race, exception of a trigger, lock timeout, statement timeout.
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
  /** Queries that run, and the one that waits for a connection. */
  running: number;
  /** Its next query waits for a connection, and is made of what is pending when it has one. */
  isWaiting: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** What requests that may share a query have in common. */
export interface SharedQuery<Request, Answer> {
  /**
   * Answer several requests of one group with one query.
   *
   * @returns one answer for each request, in their order
   */
  execute(tx: Tx, group: number, requests: readonly Request[]): Promise<readonly Answer[]>;
  /**
   * Who waits for connections together with others (../budget/turns.ts); requests of two owners never share a query,
   * so that none waits for those of another owner. Without an owner a query is sent at once.
   */
  ownerOf(request: Request): string | undefined;
  /** How many rows a request is about; one without it. */
  rowsOf?(request: Request): number;
  /** Two requests of the same key never share a query. Without a key any two of a group may. */
  keyOf?(request: Request): string;
}

/** How many requests wait and were sent, for the metrics. */
export interface BatcherLoad {
  /** Since the start: shared queries, and the requests in them. A request that is tried again alone counts again. */
  readonly sent: { readonly queries: number; readonly requests: number };
  /** Requests that wait for a query. */
  readonly waitingCount: number;
}

/**
 * Lets small requests that wait at the same time share one query, its start and its commit.
 *
 * A request that comes alone is sent at once, so batching costs nothing while there is little to do. Each request gets its
 * own answer: when PostgreSQL rejects a shared query, nothing of it was stored, and each of its requests is tried again
 * alone, so that none fails because of another.
 *
 * Source: decisions 9 and 26 (docs/decisions/).
 */
export class Batcher<Request, Answer> implements BatcherLoad {
  readonly sent = { queries: 0, requests: 0 };
  /** Only those with a request that waits or runs. */
  private readonly queues = new Map<string, Queue<Request, Answer>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly query: SharedQuery<Request, Answer>,
  ) {}

  get waitingCount(): number {
    return [...this.queues.values()].reduce((count, { pending }) => count + pending.length, 0);
  }

  /** @param group id of a supplier: its requests may share a query; groups do not wait for each other */
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

  /** Send what may be sent now. */
  private readonly flush = (queue: Queue<Request, Answer>): void => {
    while (isReady(queue)) void this.send(queue);
    const [oldest] = queue.pending;
    if (!oldest || queue.isWaiting) return;
    // It may fire for a request that was sent meanwhile; then it is set again for the oldest one that is left. On a busy
    // machine its time may be over by now, and Node.js 24 warns about a negative one.
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
    // The next query is on its way before the callers continue with these answers.
    setImmediate(settle);
    if (queue.running > 0) return;
    clearTimeout(queue.timer);
    this.queues.delete(queue.id);
  }

  /**
   * Remove from the queue the oldest request and every other one that may share its query; in the order of their keys, so
   * that two queries that touch the same rows lock them in the same order and cannot deadlock.
   */
  private nextBatch(queue: Queue<Request, Answer>): Pending<Request, Answer>[] {
    const batch: Pending<Request, Answer>[] = [];
    const left: Pending<Request, Answer>[] = [];
    const keys = new Set<string>();
    let rows = 0;
    for (const one of queue.pending) {
      const isFull =
        batch.length === BATCH_REQUESTS_MAX || (batch.length > 0 && rows + one.rows > BATCH_ROWS_MAX);
      if (isFull || (one.key !== undefined && keys.has(one.key))) {
        left.push(one);
        continue;
      }
      batch.push(one);
      rows += one.rows;
      if (one.key !== undefined) keys.add(one.key);
    }
    queue.pendingRows -= rows;
    queue.pending = left;
    queue.isWaiting = false;
    // Those that have waited long enough are sent now too: on a busy machine the next iteration of the event loop is far away.
    if (left.length > 0) {
      queueMicrotask(() => {
        this.flushOverdue(queue);
      });
    }
    return keys.size > 1 ? batch.sort(byKey) : batch;
  }

  /**
   * Never rejects.
   *
   * @param alone what is tried again alone; otherwise the batch is formed when there is a connection for it
   * @returns settles the promises of the requests; those that were tried alone are settled already
   */
  private async answer(queue: Queue<Request, Answer>, alone?: Pending<Request, Answer>): Promise<() => void> {
    const { group, owner } = queue;
    let batch = alone && [alone];
    const send = (at: SupplierWork): Promise<readonly Answer[]> => {
      // It is sent again, when the rows of the supplier were moved.
      const requests = (batch ??= this.nextBatch(queue)).map(({ request }) => request);
      this.sent.queries += 1;
      this.sent.requests += requests.length;
      return at.query((tx) => this.query.execute(tx, group, requests));
    };
    try {
      const answers = await this.work.atSupplier(group, (at) =>
        owner === undefined ? send(at) : at.inFairQueue(owner, () => send(at)),
      );
      return () => {
        for (const [index, { resolve }] of (batch ?? []).entries()) resolve(answers[index] as Answer);
      };
    } catch (error) {
      // Its turn never came; those that wait for it must not wait for ever.
      const failed = (batch ??= this.nextBatch(queue));
      if (failed.length > 1 && isRejection(error)) {
        await Promise.all(failed.map((one) => this.answerAlone(queue, one)));
        return () => undefined;
      }
      return () => {
        for (const { reject } of failed) reject(error);
      };
    }
  }

  /** Settles at once: another request of the batch may have to wait for a lock as long as the shared query did. */
  private async answerAlone(queue: Queue<Request, Answer>, one: Pending<Request, Answer>): Promise<void> {
    const settle = await this.answer(queue, one);
    settle();
  }
}

function byKey(
  { key: one = '' }: { readonly key: string | undefined },
  other: { readonly key: string | undefined },
): number {
  return one < (other.key ?? '') ? -1 : 1;
}

/** Small requests wait for the running query and are then sent together; large ones gain nothing by waiting. */
function isReady<R, A>({ pending, pendingRows, running, isWaiting }: Queue<R, A>): boolean {
  if (pending.length === 0 || isWaiting) return false;
  return running === 0 || (pendingRows >= FLUSH_ROWS && running < RUNNING_MAX);
}

/**
 * Whether PostgreSQL rejected the query for its content and rolled it back. After a lost connection it is unknown what was
 * stored, so that error is passed on as it is.
 */
function isRejection(error: unknown): boolean {
  return REJECTION.test(sqlState(error) ?? '');
}
