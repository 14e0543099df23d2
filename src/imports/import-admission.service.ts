import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { AppError } from '../common/errors.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { ReturnTimes } from './return-times.js';

/** The bodies of an organisation's imports together are at most so many times as large as one may be. */
const LARGEST_BODIES_MAX = 8;

/** The imports of an organisation that are being received or answered. */
interface Running {
  imports: number;
  bytes: number;
  readonly returnTimes: ReturnTimes;
}

/**
 * Limits the imports of an organisation that one process receives and answers at a time, so that those of one organisation
 * take neither the time nor the memory of all others. It decides from the headers: a refused body is never parsed.
 *
 * Source: decision 9 (docs/decisions/0009-fairness-between-organisations.md).
 */
@Injectable()
export class ImportAdmissionService {
  /** Of every organisation that has sent an import. */
  private readonly organisations = new Map<string, Running>();
  private readonly bytesMax: number;

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {
    this.bytesMax = LARGEST_BODIES_MAX * environment.BODY_LIMIT_BYTES;
  }

  /**
   * Count an import until it is answered or given up.
   *
   * @param bodyBytes the length of its body; NaN when the client does not state it, which counts as the largest
   * @returns to be called when it ends; further calls have no effect
   * @throws AppError `service_unavailable` with `Retry-After` when the organisation has IMPORTS_PER_ORGANISATION_MAX of them,
   *   or their bodies are too large together
   */
  admit({ organisationId }: Caller, bodyBytes: number): () => void {
    const { IMPORTS_PER_ORGANISATION_MAX: importsMax, BODY_LIMIT_BYTES: largest } = this.environment;
    const running = this.runningOf(organisationId);
    const bytes = bodyBytes <= largest ? bodyBytes : largest;
    const nowMs = performance.now();
    if (running.imports >= importsMax || running.bytes + bytes > this.bytesMax) {
      throw tooManyImports(running.returnTimes.next(nowMs, running.imports));
    }
    running.imports += 1;
    running.bytes += bytes;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      running.imports -= 1;
      running.bytes -= bytes;
      running.returnTimes.completed(performance.now() - nowMs);
    };
  }

  private runningOf(organisationId: string): Running {
    let running = this.organisations.get(organisationId);
    if (!running) {
      running = { imports: 0, bytes: 0, returnTimes: new ReturnTimes() };
      this.organisations.set(organisationId, running);
    }
    return running;
  }
}

function tooManyImports(waitSeconds: number): AppError {
  return new AppError('service_unavailable', {
    detail: `Too many imports of the organisation are being answered; nothing was stored. Send the same request again after ${waitSeconds} s.`,
    headers: { 'retry-after': String(waitSeconds) },
    isExpected: true,
  });
}
