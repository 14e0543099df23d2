import { sqlState } from '../common/sql-state.js';
import type { Tx, UnitOfWork } from './unit-of-work.js';

/** What waits is enough for a statement of its own when it is about as many rows, even while another one runs. */
const ROWS_ENOUGH = 80;
/** What one shared statement carries at most: asks, and rows that they are about. */
const ASKS_MAX = 16;
const ROWS_MAX = 1_000;
/** Statements of one kind that run at a time, unless those that wait have waited too long. */
const RUNNING_MAX = 4;
/** Nobody waits for others longer than this, however slow they are. */
const WAIT_MS_MAX = 20;

/** SQLSTATE of a wrong number of rows, data, a constraint, a lost race, a trigger's refusal, a lock waited for too long. */
const REFUSAL = /^(21|22|23|40|P0|55P03|57014)/;

/** How asks of one kind are answered, and which of them may share a statement. */
export interface BatcherRules<Ask, Answer> {
  /** Answer all of them with one statement. @returns one answer for each ask, in their order */
  readonly run: (tx: Tx, asks: readonly Ask[]) => Promise<readonly Answer[]>;
  /** How many rows it is about. */
  readonly rowsOf: (ask: Ask) => number;
  /** Only asks of the same group share a statement; groups do not wait for each other. */
  readonly groupOf: (ask: Ask) => string;
  /** Asks of the same key never share a statement. Without it all of a group may. */
  readonly keyOf?: (ask: Ask) => string;
}

/**
 * Lets small asks that wait at the same time share one statement, its start and its commit.
 *
 * Who comes alone goes at once, so this costs nothing while little is asked. Each ask is answered for itself: when
 * PostgreSQL refuses a shared statement, nothing of it was stored, and each ask is tried again alone, so that nobody
 * suffers from another's fault.
 *
 * Source: decision 7 (docs/decisions/0007-small-import-requests-share-a-query.md).
 */
export class Batcher<Ask, Answer> {
  /** Those that somebody waits in. */
  private readonly queues = new Map<string, Queue<Ask, Answer>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: BatcherRules<Ask, Answer>,
  ) {}

  ask(ask: Ask): Promise<Answer> {
    const group = this.rules.groupOf(ask);
    let queue = this.queues.get(group);
    if (!queue) {
      queue = new Queue(this.work, this.rules, () => this.queues.delete(group));
      this.queues.set(group, queue);
    }
    return queue.ask(ask);
  }
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly rows: number;
  readonly sinceMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Where the asks of one group wait. */
class Queue<Ask, Answer> {
  private waiting: Waiting<Ask, Answer>[] = [];
  private rowsWaiting = 0;
  private running = 0;
  private alarm: NodeJS.Timeout | undefined;

  /** @param onIdle called when nothing waits or runs any more */
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: BatcherRules<Ask, Answer>,
    private readonly onIdle: () => void,
  ) {}

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const rows = this.rules.rowsOf(ask);
      this.waiting.push({ ask, rows, sinceMs: performance.now(), resolve, reject });
      this.rowsWaiting += rows;
      // What arrives together in this turn of the event loop is taken together.
      if (this.waiting.length === 1) {
        setImmediate(() => {
          this.start();
        });
      } else if (this.rowsWaiting >= ROWS_ENOUGH) {
        this.start();
      }
    });
  }

  private start(): void {
    while (this.isTime()) this.begin();
    const [oldest] = this.waiting;
    if (!oldest) return;
    // It may ring for one that has gone meanwhile; then it is set again, for what is left of the oldest one's time.
    this.alarm ??= setTimeout(
      () => {
        this.startOverdue();
      },
      oldest.sinceMs + WAIT_MS_MAX - performance.now(),
    );
  }

  /** Small asks wait for the statement that runs, and so find company; large ones have nothing to gain by waiting. */
  private isTime(): boolean {
    if (this.waiting.length === 0) return false;
    return this.running === 0 || (this.rowsWaiting >= ROWS_ENOUGH && this.running < RUNNING_MAX);
  }

  private startOverdue(): void {
    this.alarm = undefined;
    const overdue = performance.now() - WAIT_MS_MAX;
    while (this.waiting[0] && this.waiting[0].sinceMs <= overdue) this.begin();
    this.start();
  }

  private begin(): void {
    this.running += 1;
    void this.answer(this.take()).then((tell) => {
      this.running -= 1;
      this.start();
      // The next statement is on its way before anybody is busy with these answers.
      setImmediate(tell);
      if (this.running > 0) return;
      clearTimeout(this.alarm);
      this.onIdle();
    });
  }

  /**
   * The longest waiting ask, and every other that may go with it; ordered by key, so that two statements that meet on the
   * same rows come to them in the same order and do not wait for each other.
   */
  private take(): Waiting<Ask, Answer>[] {
    const taken: Waiting<Ask, Answer>[] = [];
    const left: Waiting<Ask, Answer>[] = [];
    const keys = new Set<string>();
    let rows = 0;
    for (const one of this.waiting) {
      const key = this.rules.keyOf?.(one.ask);
      const isTooMuch = taken.length === ASKS_MAX || (taken.length > 0 && rows + one.rows > ROWS_MAX);
      if (isTooMuch || (key !== undefined && keys.has(key))) {
        left.push(one);
        continue;
      }
      taken.push(one);
      rows += one.rows;
      if (key !== undefined) keys.add(key);
    }
    this.rowsWaiting -= rows;
    this.waiting = left;
    const { keyOf } = this.rules;
    return keyOf ? taken.sort((a, b) => (keyOf(a.ask) < keyOf(b.ask) ? -1 : 1)) : taken;
  }

  /** Never fails. @returns tells those who asked whatever happened; who was tried alone has been told already */
  private async answer(batch: readonly Waiting<Ask, Answer>[]): Promise<() => void> {
    try {
      const asks = batch.map(({ ask }) => ask);
      const answers = await this.work.single((tx) => this.rules.run(tx, asks));
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      };
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) {
        // Each is told at once: one of them may have to wait for a lock for as long as the shared statement did.
        await Promise.all(
          batch.map(async (one) => {
            const tell = await this.answer([one]);
            tell();
          }),
        );
        return () => undefined;
      }
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
  }
}

/**
 * Whether PostgreSQL refused the statement for what it is about, and undid it. After a lost connection nobody knows what
 * was stored, so that is told as it is.
 */
function isRefusal(error: unknown): boolean {
  return REFUSAL.test(sqlState(error) ?? '');
}
