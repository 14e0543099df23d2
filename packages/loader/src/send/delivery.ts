import type { Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import type { Kind } from '../kinds/kinds.js';
import type { Clock } from '../common/clock.js';
import type { ArrivedRow, Ledger } from './ledger.js';
import type { Limiter } from './limiter.js';
import { movesOf } from './moving.js';
import { isLoaded, newRows } from './outcome.js';
import { readRefusal, type Refusal } from './refusal.js';
import { inSize, payload, type Request, type RequestSize } from './request.js';
import { SeenRows } from './seen-rows.js';
import { whyNotAnswered, type Answer } from './answer.js';
import type { Stop } from '../common/stop.js';

/** Sends one request, once. Status 0 means that there was no answer, and the same request may be sent again. */
export interface Transport {
  send(kind: Kind, body: string, requestId: string, signal: AbortSignal): Promise<Answer>;
}

export interface DeliveryOptions {
  readonly supplier: string;
  readonly isDryRun: boolean;
  /** Whether the service may move transactions into the open statement period. */
  readonly isMoving: boolean;
}

/** The parts of a sender that its deliveries use too. */
export interface SharedParts {
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Called when the service neither accepts nor rejects, with the reason; see {@link whyNotAnswered}. */
  readonly undecided: (why: string) => void;
}

export interface DeliveryParts extends DeliveryOptions, SharedParts {
  readonly limiter: Limiter;
  readonly stop: Stop;
  readonly size: RequestSize;
  readonly nextRequestId: () => string;
  /** Called whenever the service has accepted or rejected rows. */
  readonly settled: (kind: Kind, rows: number, failed: number) => void;
}

/** Attempts before a request is put aside when only it fails. */
const ATTEMPTS_MAX = 3;

/** Jitter for `Retry-After`, which has whole seconds: loaders that got the same value do not return at the same moment. */
const SPREAD_MS = 500;

const AWAY = new Set([0, 408, 500, 502, 504]);

/**
 * Sends requests until all their rows are settled, the run is stopped, or they are put aside. A rejected row does not delay the
 * other rows of its request: they are sent again without it at once.
 */
export class Delivery {
  /** Accounts that the service does not know. Their remaining rows fail without being sent. */
  private readonly unknown = new Map<string, readonly RefusedField[]>();
  private readonly seen = new Map<string, SeenRows>();
  /** Accounts with a row that was put aside. Their later rows wait too, to keep the order. */
  private readonly waiting = new Set<string>();
  /** The number of requests that were put aside. */
  aside = 0;
  private successes = 0;

  /** @param isLast whether this retries requests that were put aside; then they are put aside again even if no others succeed */
  constructor(
    private readonly parts: DeliveryParts,
    private readonly isLast: boolean,
  ) {}

  async deliver(request: Request): Promise<void> {
    const { kind, account, hasMore } = request;
    let pending: (readonly Row[])[] = [request.rows];
    while (pending.length > 0 && !this.parts.stop.signal.aborted && !this.waiting.has(account)) {
      const errors = this.unknown.get(account);
      if (errors) {
        this.fail(
          kind,
          pending.flat().map((row) => ({ row, errors })),
        );
        pending = [];
        break;
      }
      const [first = [], ...later] = pending;
      const [rows = [], ...parts] = inSize(kind, first, this.parts.size);
      const others = [...parts, ...later];
      const answer = await this.answerTo({ ...request, rows });
      if (answer === undefined) break;
      if (answer.status === 200 || answer.status === 201) {
        this.arrive({ ...request, rows, hasMore: hasMore || others.length > 0 }, answer.body);
        pending = others;
      } else {
        pending = [...this.refused(kind, account, rows, readRefusal(kind, rows, answer)), ...others];
      }
    }
    if (!hasMore && pending.length === 0) this.finish(kind, account);
  }

  /** Called when no other request of the account follows. */
  private finish(kind: Kind, account: string): void {
    this.unknown.delete(account);
    // The account's last rows did not arrive; otherwise `arrive` would have done this.
    if (!this.seen.delete(account)) return;
    this.parts.ledger.arrived(kind, [], { account, seen: undefined });
  }

  /** @returns the service's final answer, which a retry would not change; undefined when there is none */
  private async answerTo(request: Request): Promise<Answer | undefined> {
    const { transport, limiter, stop, clock, supplier } = this.parts;
    const body = payload(request, supplier);
    let successesBefore: number | undefined;
    for (let attempt = 1; ; attempt += 1) {
      if (!(await limiter.begin(stop.signal))) return undefined;
      const sending = transport.send(request.kind, body, this.parts.nextRequestId(), stop.requests);
      const answer = await sending.finally(() => {
        limiter.end();
      });
      if (stop.requests.aborted && answer.status === 0) return undefined;
      const { status, retryAfterMs } = answer;
      if (status === 429 || status === 503 || AWAY.has(status)) this.parts.undecided(whyNotAnswered(answer));
      if (status === 429 || status === 503) {
        const spread = SPREAD_MS * clock.random();
        limiter.refused(retryAfterMs === undefined ? undefined : retryAfterMs + spread, status === 503);
      } else if (isVendorAway(answer)) {
        this.aside += 1;
        return undefined;
      } else if (AWAY.has(status)) {
        const pauseMs = limiter.failed();
        successesBefore ??= this.successes;
        const isAlone = this.isLast || this.successes > successesBefore;
        if (attempt >= ATTEMPTS_MAX && isAlone) {
          this.aside += 1;
          this.waiting.add(request.account);
          return undefined;
        }
        await clock.sleep(pauseMs, stop.signal);
      } else {
        this.successes += 1;
        limiter.succeeded();
        return answer;
      }
    }
  }

  private arrive(request: Request, body: unknown): void {
    const { ledger, isDryRun, isMoving } = this.parts;
    const { kind, account, rows, hasMore } = request;
    const areNew = newRows(kind, rows, body);
    const moves = isMoving ? movesOf(kind, rows, body) : [];
    const seen = this.seenOf(request);
    const arrived: ArrivedRow[] = [];
    let added = '';
    for (const [index, row] of rows.entries()) {
      const isRepeat = seen?.has(row) === true;
      const isNew = isLoaded(kind, areNew[index] === true, isRepeat, isDryRun);
      // For a repeat, the earlier row records the move.
      const move = isRepeat ? undefined : moves[index];
      arrived.push({ row, isNew, ...(move && { move }) });
      if (!isRepeat && seen && hasMore) added += seen.add(row);
    }
    if (arrived.length > 0 || seen) {
      ledger.arrived(kind, arrived, seen && { account, seen: hasMore ? added : undefined });
    }
    if (seen && !hasMore) this.seen.delete(account);
    this.parts.settled(kind, arrived.length, 0);
  }

  /** @returns undefined for an account with a single request */
  private seenOf({ kind, account, hasMore }: Request): SeenRows | undefined {
    const known = this.seen.get(account);
    if (known) return known;
    const encoded = this.parts.ledger.seen(kind, account);
    if (!hasMore && encoded === undefined) return undefined;
    const seen = new SeenRows(kind, encoded);
    this.seen.set(account, seen);
    return seen;
  }

  /** @returns the rows of the requests to send instead */
  private refused(kind: Kind, account: string, rows: readonly Row[], refusal: Refusal): Row[][] {
    switch (refusal.of) {
      case 'all':
        this.parts.stop.because({ is: 'refused', sentence: refusal.sentence, isUsage: refusal.isUsage });
        return [];
      case 'account':
        this.unknown.set(account, refusal.errors);
        return [[...rows]];
      case 'size':
        return this.smaller(kind, rows, refusal);
      case 'rows': {
        const { failed, repeated } = refusal;
        this.fail(
          kind,
          rows.flatMap((row, index) => (failed.has(index) ? [{ row, errors: failed.get(index) ?? [] }] : [])),
        );
        const rest = rows.filter((_row, index) => !failed.has(index) && !repeated.has(index));
        const later = rows.filter((_row, index) => !failed.has(index) && repeated.has(index));
        return [rest, later].filter(({ length }) => length > 0);
      }
    }
  }

  private smaller(kind: Kind, rows: readonly Row[], { limits, errors }: Refusal & { of: 'size' }): Row[][] {
    const [row] = rows;
    if (rows.length === 1 && row) {
      this.fail(kind, [{ row, errors }]);
      return [];
    }
    const { size } = this.parts;
    const half = Math.ceil(rows.length / 2);
    // The lower limit also applies to later requests.
    if (limits === 'items') size.items = Math.min(size.items, half);
    if (limits === 'bytes') {
      const bytes = rows.reduce((sum, { item }) => sum + Buffer.byteLength(item), 0);
      size.bytes = Math.min(size.bytes, Math.ceil(bytes / 2));
    }
    return [rows.slice(0, half), rows.slice(half)];
  }

  private fail(kind: Kind, failures: readonly { row: Row; errors: readonly RefusedField[] }[]): void {
    for (const { row, errors } of failures) this.parts.ledger.failed(kind, row, errors);
    if (failures.length > 0) this.parts.settled(kind, failures.length, failures.length);
  }
}

function isVendorAway({ status, body }: Answer): boolean {
  return status === 500 && (body as { code?: unknown } | undefined)?.code === 'payment_vendor_unavailable';
}
