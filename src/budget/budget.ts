import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../common/errors.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { Allotment, quarters } from './allotment.js';

/** An organisation has a quarter of the whole. */
const HOLDERS = 4;
/** The bodies of an organisation's imports together are at most so many times as large as one may be. */
const LARGEST_BODIES_MAX = 8;
/** Pages that run or wait, searches for items, and downloads of documents, of a process. */
const [PAGES_MAX, SEARCHES_MAX, DOWNLOADS_MAX] = [128, 2, 48];
const TEMPORARY_BYTES_MAX = 1024 ** 3;

/**
 * The whole of each resource that requests hold of a process.
 *
 * Source: choice T18.
 */
const WHOLES = {
  answers: ({ ANSWERS_MAX }: Environment) => ANSWERS_MAX,
  answer_bytes: ({ ANSWER_BYTES_MAX }: Environment) => ANSWER_BYTES_MAX,
  connections: ({ CONNECTIONS_MAX }: Environment) => CONNECTIONS_MAX,
  imports: ({ IMPORTS_PER_ORGANISATION_MAX }: Environment) => HOLDERS * IMPORTS_PER_ORGANISATION_MAX,
  import_bytes: ({ BODY_LIMIT_BYTES }: Environment) => HOLDERS * LARGEST_BODIES_MAX * BODY_LIMIT_BYTES,
  pages: () => PAGES_MAX,
  searches: () => SEARCHES_MAX,
  downloads: () => DOWNLOADS_MAX,
  temporary_bytes: () => TEMPORARY_BYTES_MAX,
} satisfies Record<string, (environment: Environment) => number>;

/** What a holder may hold: requests of a kind, connections, or bytes. */
export type Resource = keyof typeof WHOLES;
export const RESOURCES = Object.keys(WHOLES) as Resource[];

/** Amounts of resources. */
export type Amounts = Partial<Record<Resource, number>>;

/** Holds connections whose requests have not been authenticated. */
export const NOBODY = '';

/**
 * What a piece of work holds. It is to be released when the work ends, in whichever way; what is released already, or never was
 * held, is not released again.
 */
export class Holding {
  private readonly sinceMs = performance.now();

  constructor(
    private readonly budget: Budget,
    private readonly holder: string,
    private readonly held: Amounts,
  ) {}

  /** The amount of a resource that is held. */
  amountOf(resource: Resource): number {
    return this.held[resource] ?? 0;
  }

  /** An amount turns out to be another one. It is never refused: what it is for is there. */
  resize(resource: Resource, amount: number): void {
    const before = this.held[resource];
    if (before === undefined) return;
    this.budget.allotments[resource].change(this.holder, amount - before);
    this.held[resource] = amount;
  }

  /**
   * Hold more of a resource than was known at the admission.
   *
   * @throws AppError `service_unavailable` when the whole of it is used up
   */
  grow(resource: Resource, amount: number): void {
    const allotment = this.budget.allotments[resource];
    if (allotment.usedShare >= 1) throw refused(resource, allotment.refuse(this.holder));
    this.resize(resource, this.amountOf(resource) + amount);
  }

  /** @param resources all when none is named */
  release(resources?: ReadonlySet<Resource>): void {
    const durationMs = performance.now() - this.sinceMs;
    for (const name in this.held) {
      const resource = name as Resource;
      const amount = this.held[resource];
      if (amount === undefined || resources?.has(resource) === false) continue;
      this.held[resource] = undefined;
      this.budget.allotments[resource].give(this.holder, amount, durationMs);
    }
  }
}

/**
 * Divides what requests hold of a process among the organisations of their callers, so that none takes the time, the memory or the
 * connections of all others. It is the only count of these resources.
 *
 * Source: choice T18; decision 18 (docs/decisions/0018-one-budget-for-each-organisation.md).
 */
@Injectable()
export class Budget {
  readonly allotments: Readonly<Record<Resource, Allotment>>;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.allotments = Object.fromEntries(
      Object.entries(WHOLES).map(([resource, whole]) => [
        resource,
        new Allotment(quarters(whole(environment))),
      ]),
    ) as Record<Resource, Allotment>;
  }

  /**
   * Count a piece of work, until what is returned is released.
   *
   * @param holder id of an organisation, or a name of who has none
   * @param wanted all of it, or nothing is counted; the object becomes the record of what is held
   * @throws AppError `service_unavailable` with `Retry-After` when the holder has too much of one of the resources
   */
  admit(holder: string, wanted: Amounts): Holding {
    for (const resource in wanted) {
      const allotment = this.allotments[resource as Resource];
      if (!allotment.admits(holder)) throw refused(resource as Resource, allotment.refuse(holder));
    }
    return this.hold(holder, wanted);
  }

  /** Count what is there already, whatever there is of it. */
  hold(holder: string, amounts: Amounts): Holding {
    for (const resource in amounts)
      this.allotments[resource as Resource].take(holder, amounts[resource as Resource]);
    return new Holding(this, holder, amounts);
  }
}

/** What there is too much of, as the subject of a sentence. */
const SUBJECTS: Record<Resource, string> = {
  answers: 'Too many requests of the organisation are being answered',
  answer_bytes: 'Too much is being sent to the organisation',
  connections: 'Too many connections of the organisation are open',
  imports: 'Too many imports of the organisation are being answered',
  import_bytes: 'Too many imports of the organisation are being answered',
  pages: 'Too many pages of the organisation are being made',
  searches: 'Too many searches of the organisation or of others are running',
  downloads: 'Too many documents of the organisation are being downloaded',
  temporary_bytes: 'Too much is being sent to the organisation',
};

function refused(resource: Resource, waitSeconds: number): AppError {
  return new AppError('service_unavailable', {
    detail: `${SUBJECTS[resource]}; nothing was stored. Send the same request again after ${waitSeconds} s.`,
    headers: { 'retry-after': String(waitSeconds) },
    isExpected: true,
  });
}
