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
import { AppError, fieldError, validationError, type FieldErrorCode } from '../../common/errors.js';
import {
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
  type VendorCall,
} from './payment-vendor.js';

/** Tries at one request, the first included (contract P4). */
const TRIES_MAX = 3;

/**
 * How the time for one request is shared out: three tries of 30 % each, pauses of at most 3 % and 6 % between them. All
 * of it fits by construction, so no clock runs beside the tries.
 */
const TRY_SHARE = 0.3;
const FIRST_PAUSE_SHARE = 0.03;

/** Requests in a row that must fail, each with all its tries, before a vendor counts as down. */
const FAILURES_UNTIL_DOWN = 5;

/** A vendor that is down is asked by one request again after this share of the time for one request. */
const LEFT_ALONE_SHARE = 0.5;

/** Why a request must not be repeated, said to a person. */
const REFUSALS: Readonly<Record<VendorRefusal['reason'], string>> = {
  refused: 'The payment vendor refuses the request.',
  credentials: 'The payment vendor refuses the credentials of this service; the operator has to act.',
  unreadable: 'The answer of the payment vendor cannot be read.',
};

/** What asking a vendor came to. A passing failure is thrown instead. */
type Outcome =
  { readonly found: InstructionDetails } | { readonly refused: FieldErrorCode; readonly detail?: string };

/** The way to one vendor. */
interface Line {
  readonly vendor: PaymentVendor;
  readonly breaker: CircuitBreakerPolicy;
  readonly policy: IPolicy<IRetryContext & ICancellationContext>;
}

export interface GatewayLimits {
  /** For one request, all tries and pauses together. */
  readonly requestTimeoutMs: number;
  /** Requests for which one vendor is asked at the same time, by this process. */
  readonly requestsMax: number;
}

/** How long one try may take, so that all tries and pauses fit into the time for one request. */
export function tryTimeoutMs(requestTimeoutMs: number): number {
  return Math.floor(requestTimeoutMs * TRY_SHARE);
}

/**
 * The one way to payment vendors: bounds time, tries and requests at once, and leaves a vendor alone that is down.
 *
 * A request that is one too many is turned away and does not wait: the time it waited would come on top of the time for
 * one request. Without this limit a vendor that hangs would gather requests until it counts as down.
 *
 * Each process counts for itself whether a vendor is down. One process that finds out late costs a few slow requests; a
 * count in the database would make every request wait for it.
 */
export class VendorGateway {
  private readonly logger = new Logger('payment vendors');
  private readonly lines: ReadonlyMap<string, Line>;

  /** @param vendors those that there is a connection to */
  constructor(vendors: readonly PaymentVendor[], limits: GatewayLimits) {
    this.lines = new Map(vendors.map((vendor) => [vendor.name, this.lineTo(vendor, limits)]));
  }

  /**
   * Ask a vendor for an instruction: up to three tries, with pauses of random length that grow.
   *
   * @param requestId of the request that wants to know, for the log
   * @throws AppError `validation_error` with `payment_vendor_not_configured` at `vendor`, `payment_instruction_not_found` or
   *   `payment_vendor_rejected` at `reference`; `payment_vendor_unavailable` when no try succeeded, or at once while the
   *   vendor is down; `service_unavailable` when it is being asked for as many requests as it may be
   * Source: specification 4.4; contract P3, P4, P5.
   */
  async ask(name: string, reference: string, requestId: string): Promise<InstructionDetails> {
    const line = this.lines.get(name);
    if (!line) throw validationError([fieldError('payment_vendor_not_configured', 'vendor')]);
    const outcome = await this.outcomeOf(line, reference, requestId);
    if ('found' in outcome) return outcome.found;
    throw validationError([fieldError(outcome.refused, 'reference', outcome.detail)]);
  }

  private async outcomeOf(
    { vendor, breaker, policy }: Line,
    reference: string,
    requestId: string,
  ): Promise<Outcome> {
    try {
      // Further requests would wait for the one that finds out whether the vendor is back.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
      // A signal of its own for each request: the one that all would share by default gathers all their listeners.
      return await policy.execute(
        ({ attempt, signal }) => this.attempt(vendor, reference, { attempt: attempt + 1, signal }, requestId),
        new AbortController().signal,
      );
    } catch (error) {
      if (error instanceof BulkheadRejectedError) {
        const detail = `Too many requests for the payment vendor ${vendor.name} are being answered. Send the same request again.`;
        throw new AppError('service_unavailable', { detail, cause: error });
      }
      if (!isPassing(error) && !(error instanceof BrokenCircuitError)) throw error;
      const cause = new Error(`The payment vendor ${vendor.name} cannot be asked.`, { cause: error });
      throw new AppError('payment_vendor_unavailable', { cause });
    }
  }

  /** A refusal is an answer too: the vendor is there. So it is returned, and what is thrown counts as being down. */
  private async attempt(
    vendor: PaymentVendor,
    reference: string,
    call: VendorCall,
    requestId: string,
  ): Promise<Outcome> {
    try {
      const found = await vendor.find(reference, call);
      return found ? { found } : { refused: 'payment_instruction_not_found' };
    } catch (error) {
      if (!(error instanceof VendorRefusal)) throw error;
      this.logger[error.reason === 'credentials' ? 'error' : 'warn']({
        request_id: requestId,
        msg: `${vendor.name}: ${error.message}`,
      });
      const detail = `${REFUSALS[error.reason]} Do not send the same request again.`;
      return { refused: 'payment_vendor_rejected', detail };
    }
  }

  private lineTo(vendor: PaymentVendor, { requestTimeoutMs, requestsMax }: GatewayLimits): Line {
    const passing = handleWhen(isPassing);
    const leftAloneMs = requestTimeoutMs * LEFT_ALONE_SHARE;
    const breaker = circuitBreaker(passing, {
      halfOpenAfter: leftAloneMs,
      breaker: new ConsecutiveBreaker(FAILURES_UNTIL_DOWN),
    });
    breaker.onBreak(() => {
      this.logger.warn(`${vendor.name} does not answer; it is left alone for ${leftAloneMs} ms.`);
    });
    breaker.onReset(() => {
      this.logger.warn(`${vendor.name} answers again.`);
    });
    const tries = retry(passing, {
      maxAttempts: TRIES_MAX - 1,
      backoff: new ExponentialBackoff({
        generator: fullJitterGenerator,
        initialDelay: requestTimeoutMs * FIRST_PAUSE_SHARE,
      }),
    });
    const bound = timeout(tryTimeoutMs(requestTimeoutMs), TimeoutStrategy.Aggressive);
    return { vendor, breaker, policy: wrap(bulkhead(requestsMax), breaker, tries, bound) };
  }
}

/** TaskCancelledError: a try took too long. */
function isPassing(error: unknown): boolean {
  return error instanceof VendorUnavailable || error instanceof TaskCancelledError;
}
