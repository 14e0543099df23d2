import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { RestoredRepository, type ValidKeys } from './restored.repository.js';

/**
 * A report of what was ended and skipped in a moved or restored database, and of the keys that are valid in it, as
 * `database restored` prints it.
 */
export interface RestoredReport extends ValidKeys {
  readonly sessions_ended: number;
  /** Codes of all suppliers. The feed of each has begun a new epoch. */
  readonly suppliers: readonly string[];
}

/** How many accounts may have been imported between a copy and a loss: with the embedded database, and with a larger one. */
const SKIPPED_WHEN_MOVED = 1_000_000;
const SKIPPED_WHEN_REPORTED = 10_000_000;

/** Ends what must not survive in a database that was, or may have been, set back to an earlier time. */
@Injectable()
export class RestoredService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RestoredRepository,
    private readonly audit: AuditService,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * Handle a restore that an operator reports.
   *
   * @param operator the name that is recorded
   * Source: choices E7, O5, O6.
   */
  restored(reason: string, operator: string): Promise<RestoredReport> {
    return this.work.write((tx) => this.begin(tx, SKIPPED_WHEN_REPORTED, reason, operator));
  }

  /**
   * Detect that the files of the database are at another place than before, and remember the new place. If several
   * processes detect it at the same time, one does everything. If that one crashes, the next one does.
   *
   * @returns undefined when the files have not moved
   * Source: choices E7, O5, O6.
   */
  notice(place: string, operator: string): Promise<RestoredReport | undefined> {
    return this.work.write(async (tx) => {
      if (!(await this.repository.rememberPlace(tx, place))) return undefined;
      const reason = 'the files of the database were moved or restored';
      return this.begin(tx, SKIPPED_WHEN_MOVED, reason, operator);
    });
  }

  private async begin(tx: Tx, skipped: number, reason: string, operator: string): Promise<RestoredReport> {
    const sessions_ended = await this.repository.endSessions(tx);
    await this.repository.skipNumbers(tx, skipped);
    const keys = await this.repository.validKeys(tx);
    const suppliers = await this.repository.suppliers(tx);
    for (const { id } of suppliers) await this.numbering.beginEpoch(tx, id, reason);
    await this.audit.record(tx, {
      operator,
      action: 'database.restored',
      subject: 'database',
      // Recorded, so that the list of keys is not lost with the process's output.
      details: {
        reason,
        sessions_ended,
        valid_keys: [...keys.api_keys, ...keys.platform_keys].map(({ id }) => id),
      },
    });
    return { sessions_ended, suppliers: suppliers.map(({ code }) => code), ...keys };
  }
}
