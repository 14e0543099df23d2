import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { AppError } from '../errors/errors.js';
import { StartError } from '../config/env.js';
import { ENVIRONMENT, type Environment } from '../config/settings.js';

const MIB = 1_048_576;

/**
 * Maximum number of requests of each kind that one holder has in progress. `requests` are all requests but imports; the kinds
 * after it are subsets of it.
 */
export const HOLDER_MAX = { imports: 64, requests: 64, feed_waits: 32, downloads: 12, spooled: 4 } as const;
export type Kind = keyof typeof HOLDER_MAX;
export const KINDS = Object.keys(HOLDER_MAX) as Kind[];

/** Maximum size of all bodies and buffered responses of a process, and the part of it that one holder may use. */
const BYTES_MAX = 512 * MIB;
const HOLDER_SHARE = 1 / 8;
/** Heap of a process without requests. */
const HEAP_IDLE = 80 * MIB;
/** Heap that each byte of a body takes while the body is parsed, validated and stored (docs/operating/limits.md). */
const HEAP_PER_BYTE = 8;

/** Largest response that is buffered in memory: a page of the feed (choice E1). */
export const PAGE_BYTES_MAX = 8 * MIB;

/** Why a request was rejected: its holder has too many requests of a kind or too many bytes, or the process has. */
export type Refusal = Kind | 'holder_bytes' | 'process_bytes' | 'pressure';

/** The reason as the subject of a sentence. */
const SUBJECTS: Record<Refusal, string> = {
  imports: 'Too many imports of the organisation are being answered',
  requests: 'Too many requests of the organisation are being answered',
  feed_waits: 'Too many requests with the key wait for changes',
  downloads: 'Too many documents of the organisation are being downloaded',
  spooled: 'Too many long answers are being sent to the organisation',
  holder_bytes: 'Too many bytes of the organisation are being received and sent',
  process_bytes: 'Too many bytes are being received and sent',
  pressure: 'The service is overloaded',
};

/** Rejected clients are told to retry after a random time up to this. */
const RETRY_SECONDS_MAX = 5;

/** The requests and bytes in progress, of one holder or of all. */
type Amounts = Record<Kind | 'bytes', number>;

/**
 * Counts the requests and bytes that each holder has in progress, so that no holder takes the process's time, memory or disk from
 * all others. A holder is an organisation, a platform key, or all people of the platform together.
 *
 * Source: choice T18; decision 18 (docs/decisions/0018-one-budget-for-each-organisation.md).
 */
@Injectable()
export class Budget {
  readonly bytesMax: number;
  readonly holderBytesMax: number;
  /** The sum over all holders. */
  readonly inHand: Amounts = nothing();
  /** Rejected requests by reason. */
  readonly refused = Object.fromEntries(Object.keys(SUBJECTS).map((reason) => [reason, 0])) as Record<
    Refusal,
    number
  >;
  /** Contains only holders with requests in progress. */
  private readonly holders = new Map<string, Amounts>();

  /**
   * @param heapMax heap limit of the process, in bytes
   * @throws StartError if the heap has no room for one body and one page of the largest size
   */
  constructor(
    @Inject(ENVIRONMENT) { BODY_LIMIT_BYTES }: Pick<Environment, 'BODY_LIMIT_BYTES'>,
    @Optional() heapMax = heapMaxBytes(),
  ) {
    const smallest = BODY_LIMIT_BYTES + PAGE_BYTES_MAX;
    this.bytesMax = Math.min(BYTES_MAX, Math.floor((heapMax - HEAP_IDLE) / HEAP_PER_BYTE));
    if (smallest > this.bytesMax) throw noRoom(BODY_LIMIT_BYTES, heapMax, smallest);
    this.holderBytesMax = Math.max(this.bytesMax * HOLDER_SHARE, smallest);
  }

  /**
   * Count a request until the returned holding is released.
   *
   * @param kinds of the request; either all are counted or none
   * @param bytes of its body, and of its response if that is buffered in memory
   * @throws AppError `service_unavailable` with `Retry-After` if the holder or the process is over its limit
   */
  admit(holder: string, kinds: readonly Kind[], bytes = 0): Holding {
    this.check(holder, kinds, bytes);
    return new Holding(this, holder, kinds, bytes);
  }

  /** @throws AppError like {@link admit} */
  check(holder: string, kinds: readonly Kind[], bytes: number): void {
    const held = this.holders.get(holder) ?? nothing();
    for (const kind of kinds) if (held[kind] >= HOLDER_MAX[kind]) throw this.refusal(kind);
    if (bytes === 0) return;
    if (held.bytes + bytes > this.holderBytesMax) throw this.refusal('holder_bytes');
    if (this.inHand.bytes + bytes > this.bytesMax) throw this.refusal('process_bytes');
  }

  /** @param times 1 or -1 */
  change(holder: string, kinds: readonly Kind[], bytes: number, times = 1): void {
    const held = this.holders.get(holder) ?? nothing();
    for (const amounts of [held, this.inHand]) {
      for (const kind of kinds) amounts[kind] += times;
      amounts.bytes += times * bytes;
    }
    if (held.imports === 0 && held.requests === 0) this.holders.delete(holder);
    else this.holders.set(holder, held);
  }

  /** Counts a rejection. @returns the error to throw */
  refusal(reason: Refusal): AppError {
    this.refused[reason] += 1;
    const seconds = 1 + Math.floor(Math.random() * RETRY_SECONDS_MAX);
    return new AppError('service_unavailable', {
      detail: `${SUBJECTS[reason]}; nothing was stored. Send the same request again after ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
      isExpected: true,
    });
  }
}

/**
 * The part of the budget that one request occupies. It has one use for each reason to keep it: its response has not ended, or its
 * work continues. It is counted while it has at least one use.
 */
export class Holding {
  private uses = 0;

  constructor(
    private readonly budget: Budget,
    private readonly holder: string,
    private kinds: readonly Kind[],
    private bytes: number,
  ) {
    this.use();
  }

  /** Never rejected: the work exists already, even if its client has left. */
  use(): void {
    if (this.uses === 0) this.budget.change(this.holder, this.kinds, this.bytes);
    this.uses += 1;
  }

  release(): void {
    this.uses -= 1;
    if (this.uses === 0) this.budget.change(this.holder, this.kinds, this.bytes, -1);
  }

  /**
   * Add a further kind to the request; adding it again has no effect.
   *
   * @param hasBegun whether the response has begun; if so, the request is not rejected
   * @throws AppError like {@link Budget.admit}
   */
  add(kind: Kind, hasBegun = false): void {
    if (this.kinds.includes(kind)) return;
    if (!hasBegun) this.budget.check(this.holder, [kind], 0);
    this.kinds = [...this.kinds, kind];
    if (this.uses > 0) this.budget.change(this.holder, [kind], 0);
  }

  /** Remove a kind from the request. */
  remove(kind: Kind): void {
    this.kinds = this.kinds.filter((one) => one !== kind);
    if (this.uses > 0) this.budget.change(this.holder, [kind], 0, -1);
  }

  /** @throws AppError like {@link Budget.admit} */
  grow(bytes: number): void {
    this.budget.check(this.holder, [], bytes);
    this.resize(bytes);
  }

  /** Change the number of bytes of the request. @param bytes the difference */
  resize(bytes: number): void {
    this.bytes += bytes;
    if (this.uses > 0) this.budget.change(this.holder, [], bytes);
  }
}

function nothing(): Amounts {
  return { imports: 0, requests: 0, feed_waits: 0, downloads: 0, spooled: 0, bytes: 0 };
}

/** The largest heap of the process, in bytes. Half of its memory is left for data outside the heap. */
function heapMaxBytes(): number {
  // Without a memory limit, Node.js returns 0, or more than any machine has.
  const memory = process.constrainedMemory() || Infinity;
  return Math.min(memory / 2, getHeapStatistics().heap_size_limit);
}

function noRoom(bodyLimit: number, heapMax: number, bytes: number): StartError {
  const inMib = (amount: number): string => `${Math.ceil(amount / MIB)} MiB`;
  const needed = HEAP_IDLE + bytes * HEAP_PER_BYTE;
  return new StartError(
    `BODY_LIMIT_BYTES is ${bodyLimit}, for which the process needs a heap of ${inMib(needed)}, which is half of its memory, and has ${inMib(heapMax)}. ` +
      'Give it more memory, or set a lower BODY_LIMIT_BYTES.',
  );
}
