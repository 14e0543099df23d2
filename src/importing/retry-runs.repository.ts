import { Injectable } from '@nestjs/common';
import type { RunOutcome } from '../audit/audit.types.js';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { RetryRun } from './retry-runs.types.js';

/** A run that has put nothing back for so long has lost its process: a batch takes a fraction of a second. */
const LOST_AFTER = `interval '1 minute'`;
/** Runs that ended longer ago are not shown. */
const SHOWN_FOR = `interval '1 hour'`;

/** Takes the place of the last one, unless that is under way. */
const BEGIN = query<{ id: string }>(
  'accounts.begin_retry_run',
  `INSERT INTO retry_run AS r (import_supplier, id)
   VALUES (:import_supplier, :id)
       ON CONFLICT (import_supplier) DO UPDATE
      SET id = excluded.id, started_at = now(), pending = 0, advanced_at = now(), outcome = NULL
    WHERE r.outcome IS NOT NULL OR r.advanced_at < now() - ${LOST_AFTER}
   RETURNING id`,
);

/** Of a run that another one has replaced nothing is recorded. */
const ADVANCE = query<never>(
  'accounts.advance_retry_run',
  `UPDATE retry_run
      SET pending = pending + :count::bigint, advanced_at = now()
    WHERE import_supplier = :import_supplier AND id = :id`,
);

const END = query<never>(
  'accounts.end_retry_run',
  `UPDATE retry_run
      SET outcome = :outcome, advanced_at = now()
    WHERE import_supplier = :import_supplier AND id = :id`,
);

const FIND = query<RetryRun>(
  'accounts.find_retry_run',
  `SELECT r.started_at AS "startedAt", r.pending::float8 AS pending,
          CASE WHEN r.outcome IS NULL AND r.advanced_at < now() - ${LOST_AFTER} THEN 'lost' ELSE r.outcome END AS outcome
     FROM retry_run r
    WHERE r.import_supplier = :import_supplier AND r.advanced_at > now() - ${SHOWN_FOR}`,
);

/** A run, by the code of its supplier and its own id. */
interface RunKey {
  readonly import_supplier: string;
  readonly id: string;
}

@Injectable()
export class RetryRunsRepository {
  /** @returns false when one of the supplier is under way */
  async begin(tx: Tx, key: RunKey): Promise<boolean> {
    return (await run(tx, BEGIN, { ...key })).length > 0;
  }

  /** @param count how many more accounts are pending again */
  async advance(tx: Tx, key: RunKey, count: number): Promise<void> {
    await run(tx, ADVANCE, { ...key, count });
  }

  async end(tx: Tx, key: RunKey, outcome: RunOutcome): Promise<void> {
    await run(tx, END, { ...key, outcome });
  }

  async find(tx: Tx, importSupplier: string): Promise<RetryRun | undefined> {
    const [found] = await run(tx, FIND, { import_supplier: importSupplier });
    return found;
  }
}
