import { Logger } from '@nestjs/common';
import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  fullJitterGenerator,
  handleWhen,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
  type CircuitBreakerPolicy,
  type IPolicy,
  type IRetryContext,
  type ICancellationContext,
} from 'cockatiel';
import {
  AppError,
  fieldError,
  validationError,
  type FieldErrorCode,
} from '../../infrastructure/errors/errors.js';
import { originMembers, type RequestOrigin } from '../../infrastructure/log/request-origin.js';
import {
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
  type VendorCall,
} from './payment-vendor.js';

/** Tries for one request, including the first (choice P4). */
const TRIES_MAX = 3;

/**
 * Shares of the time for one request: three tries of 30 % each, and pauses of at most 3 % and 6 % between them. They add up to
 * less than 100 %, so no timeout is needed around all tries.
 */
const TRY_SHARE = 0.3;
const FIRST_PAUSE_SHARE = 0.03;

/** Consecutive requests that must fail, each after all its tries, before a vendor counts as down. */
const FAILURES_UNTIL_DOWN = 5;

/** The circuit breaker lets one probe request through after this share of the time for one request. */
const OPEN_SHARE = 0.5;

/** Sentences that tell people why a request must not be repeated. */
const REFUSALS: Readonly<Record<VendorRefusal['reason'], string>> = {
  refused: 'The payment vendor rejects the request.',
  credentials: 'The payment vendor rejects the credentials of this service; the operator must correct them.',
  unreadable: 'The answer of the payment vendor cannot be read.',
};

/** The result of a request. A temporary failure is thrown instead. */
type Outcome =
  { readonly found: InstructionDetails } | { readonly refused: FieldErrorCode; readonly detail?: string };

/** The outcomes of one try; `unavailable` means no answer or a temporary failure. */
export const CALL_OUTCOMES = ['confirmed', 'not_found', 'rejected', 'unavailable'] as const;
type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Called after each try. */
export type CallListener = (vendor: string, outcome: CallOutcome, seconds: number) => void;

/** A vendor with its request policies. */
interface GuardedVendor {
  readonly vendor: PaymentVendor;
  readonly breaker: CircuitBreakerPolicy;
  /** Policy for a request: concurrency limit, circuit breaker and retries. */
  readonly policy: IPolicy<IRetryContext & ICancellationContext>;
  /** Timeout policy for one try. */
  readonly timeLimit: IPolicy<ICancellationContext>;
}

export interface GatewayLimits {
  /** Time for one request, including all tries and pauses. */
  readonly requestTimeoutMs: number;
  /** Most concurrent requests of this process to one vendor. */
  readonly requestsMax: number;
}

/** The timeout of one try, chosen so that all tries and pauses fit into the time for one request. */
export function tryTimeoutMs(requestTimeoutMs: number): number {
  return Math.floor(requestTimeoutMs * TRY_SHARE);
}

/**
 * Sends requests to payment vendors with timeouts, retries, a concurrency limit and a circuit breaker.
 *
 * A request over the concurrency limit is rejected at once, because waiting would add to its time. Without the limit, requests
 * to a vendor that hangs would accumulate until it counts as down.
 *
 * Each process has its own circuit breaker. If a process detects an outage late, a few requests are slow; shared state in the
 * database would delay every request.
 */
export class VendorGateway {
  private readonly logger = new Logger('payment vendors');
  private readonly vendors: ReadonlyMap<string, GuardedVendor>;
  private readonly listeners: CallListener[] = [];

  /** @param vendors the available vendors */
  constructor(vendors: readonly PaymentVendor[], limits: GatewayLimits) {
    this.vendors = new Map(vendors.map((vendor) => [vendor.name, this.guard(vendor, limits)]));
  }

  /** Whether the circuit breaker of each vendor is open, by vendor name. */
  get circuits(): [vendor: string, isOpen: boolean][] {
    return [...this.vendors].map(([name, { breaker }]) => [name, breaker.state !== CircuitState.Closed]);
  }

  onCall(listener: CallListener): void {
    this.listeners.push(listener);
  }

  /**
   * Look up an instruction at a vendor, with up to three tries and a random backoff between them.
   *
   * @param origin the origin of the HTTP request, for the log
   * @throws AppError `validation_error` with `payment_vendor_not_configured` at `vendor`, `payment_instruction_not_found` or
   *   `payment_vendor_rejected` at `reference`; `payment_vendor_unavailable` when no try succeeded, or at once while the
   *   vendor is down; `service_unavailable` at the limit on concurrent requests
   * Source: specification 4.4; choices P3, P4, P5.
   */
  async find(name: string, reference: string, origin: RequestOrigin): Promise<InstructionDetails> {
    const guarded = this.vendors.get(name);
    if (!guarded) throw validationError([fieldError('payment_vendor_not_configured', 'vendor')]);
    const outcome = await this.outcomeOf(guarded, reference, origin);
    if ('found' in outcome) return outcome.found;
    throw validationError([fieldError(outcome.refused, 'reference', outcome.detail)]);
  }

  private async outcomeOf(
    guarded: GuardedVendor,
    reference: string,
    origin: RequestOrigin,
  ): Promise<Outcome> {
    const { vendor, breaker, policy } = guarded;
    await vendor.prepare?.();
    try {
      // The library would make further requests wait for the probe request.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
      // Each request gets its own signal: the default one is shared and would accumulate listeners.
      return await policy.execute(
        ({ attempt, signal }) => this.call(guarded, reference, { attempt: attempt + 1, signal }, origin),
        new AbortController().signal,
      );
    } catch (error) {
      if (error instanceof BulkheadRejectedError) {
        const detail = `Too many requests for the payment vendor ${vendor.name} are being answered. Send the same request again.`;
        throw new AppError('service_unavailable', { detail, cause: error });
      }
      if (!isTemporary(error) && !(error instanceof BrokenCircuitError)) throw error;
      const cause = new Error(`The payment vendor ${vendor.name} cannot be reached.`, { cause: error });
      throw new AppError('payment_vendor_unavailable', { cause });
    }
  }

  private async call(
    { vendor, timeLimit }: GuardedVendor,
    reference: string,
    { attempt, signal: end }: VendorCall,
    origin: RequestOrigin,
  ): Promise<Outcome> {
    const startedMs = performance.now();
    let ended: CallOutcome = 'unavailable';
    try {
      const outcome = await timeLimit.execute(
        ({ signal }) => this.attempt(vendor, reference, { attempt, signal }, origin),
        end,
      );
      ended = callOutcomeOf(outcome);
      return outcome;
    } finally {
      const seconds = (performance.now() - startedMs) / 1_000;
      for (const listener of this.listeners) listener(vendor.name, ended, seconds);
    }
  }

  /** Returns a refusal, because it shows that the vendor works; a thrown error counts as a failure of the vendor. */
  private async attempt(
    vendor: PaymentVendor,
    reference: string,
    call: VendorCall,
    origin: RequestOrigin,
  ): Promise<Outcome> {
    try {
      const found = await vendor.find(reference, call);
      return found ? { found } : { refused: 'payment_instruction_not_found' };
    } catch (error) {
      if (!(error instanceof VendorRefusal)) throw error;
      this.logger[error.reason === 'credentials' ? 'error' : 'warn']({
        ...originMembers(origin),
        msg: `${vendor.name}: ${error.message}`,
      });
      const detail = `${REFUSALS[error.reason]} Do not send the same request again.`;
      return { refused: 'payment_vendor_rejected', detail };
    }
  }

  private guard(vendor: PaymentVendor, { requestTimeoutMs, requestsMax }: GatewayLimits): GuardedVendor {
    const temporary = handleWhen(isTemporary);
    const openMs = requestTimeoutMs * OPEN_SHARE;
    const breaker = circuitBreaker(temporary, {
      halfOpenAfter: openMs,
      breaker: new ConsecutiveBreaker(FAILURES_UNTIL_DOWN),
    });
    breaker.onBreak(() => {
      this.logger.warn(`${vendor.name} does not answer; no request is sent to it for ${openMs} ms.`);
    });
    breaker.onReset(() => {
      this.logger.warn(`${vendor.name} answers again.`);
    });
    const tries = retry(temporary, {
      maxAttempts: TRIES_MAX - 1,
      backoff: new ExponentialBackoff({
        generator: fullJitterGenerator,
        initialDelay: requestTimeoutMs * FIRST_PAUSE_SHARE,
      }),
    });
    const timeLimit = timeout(tryTimeoutMs(requestTimeoutMs), TimeoutStrategy.Aggressive);
    return { vendor, breaker, policy: wrap(bulkhead(requestsMax), breaker, tries), timeLimit };
  }
}

function callOutcomeOf(outcome: Outcome): CallOutcome {
  if ('found' in outcome) return 'confirmed';
  return outcome.refused === 'payment_instruction_not_found' ? 'not_found' : 'rejected';
}

/** TaskCancelledError means that a try timed out. */
function isTemporary(error: unknown): boolean {
  return error instanceof VendorUnavailable || error instanceof TaskCancelledError;
}
