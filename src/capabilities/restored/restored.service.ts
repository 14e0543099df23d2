import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { RestoredRepository, type ValidKeys } from './restored.repository.js';

/** What was ended and skipped in a database that was moved or restored, and what is valid in it, as `database restored` prints it. */
export interface RestoredReport extends ValidKeys {
  readonly sessions_ended: number;
  /** Codes of all suppliers: the feed of each has begun a new epoch. */
  readonly suppliers: readonly string[];
}

/** Accounts that may have been imported between a copy and a loss: with the embedded database, and with a larger one. */
const SKIPPED_WHEN_NOTICED = 1_000_000;
const SKIPPED_WHEN_TOLD = 10_000_000;

/** Ends what must not live on in a database that was set back to an earlier time, or may have been. */
@Injectable()
export class RestoredService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RestoredRepository,
    private readonly audit: AuditService,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * An operator says that the database was restored.
   *
   * @param operator who is recorded
   * Source: choices E7, O5, O6.
   */
  restored(reason: string, operator: string): Promise<RestoredReport> {
    return this.work.write((tx) => this.begin(tx, SKIPPED_WHEN_TOLD, reason, operator));
  }

  /**
   * Notice that the files of the database are at another place than before, and remember the place. Of processes that notice it at the
   * same moment one does everything, and after a crash in between the next one.
   *
   * @returns nothing when they are where they were
   * Source: choices E7, O5, O6.
   */
  notice(place: string, operator: string): Promise<RestoredReport | undefined> {
    return this.work.write(async (tx) => {
      if (!(await this.repository.rememberPlace(tx, place))) return undefined;
      const reason = 'the files of the database were moved or restored';
      return this.begin(tx, SKIPPED_WHEN_NOTICED, reason, operator);
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
      // The list of the keys is not lost with what a process prints.
      details: {
        reason,
        sessions_ended,
        valid_keys: [...keys.api_keys, ...keys.platform_keys].map(({ id }) => id),
      },
    });
    return { sessions_ended, suppliers: suppliers.map(({ code }) => code), ...keys };
  }
}
