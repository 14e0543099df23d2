import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { run, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import * as queries from './restored.queries.js';

/**
 * A report of what was ended and skipped in a moved or restored database, and of the keys that are valid in it, as
 * `database restored` prints it.
 */
export interface RestoredReport extends queries.ValidKeys {
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
      const changed = await run(tx, queries.REMEMBER_PLACE, { place });
      if (changed.length === 0 || !(await runForOne(tx, queries.IS_USED, {})).is_used) return undefined;
      const reason = 'the files of the database were moved or restored';
      return this.begin(tx, SKIPPED_WHEN_MOVED, reason, operator);
    });
  }

  private async begin(tx: Tx, skipped: number, reason: string, operator: string): Promise<RestoredReport> {
    const { ended: sessions_ended } = await runForOne(tx, queries.END_SESSIONS, {});
    await run(tx, queries.SKIP_NUMBERS, { count: skipped });
    const api_keys = await run(tx, queries.API_KEYS, {});
    const platform_keys = await run(tx, queries.PLATFORM_KEYS, {});
    const suppliers = await run(tx, queries.SUPPLIERS, {});
    for (const { id } of suppliers) await this.numbering.beginEpoch(tx, id, reason);
    await this.audit.record(tx, {
      operator,
      action: 'database.restored',
      subject: 'database',
      // Recorded, so that the list of keys is not lost with the process's output.
      details: {
        reason,
        sessions_ended,
        valid_keys: [...api_keys, ...platform_keys].map(({ id }) => id),
      },
    });
    return { sessions_ended, suppliers: suppliers.map(({ code }) => code), api_keys, platform_keys };
  }
}
