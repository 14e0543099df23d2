import { Injectable } from '@nestjs/common';
import { Clock } from '../../infrastructure/clock/clock.js';
import { supplierNotFound } from '../../infrastructure/database/supplier-codes.js';
import { query, run } from '../../infrastructure/database/query.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { findSenders } from '../request-log/requests/find-senders.js';
import { forecast, paceSince } from '../totals/forecast.js';
import { rowProgress } from '../totals/row-progress.js';
import { TotalsService } from '../totals/totals.service.js';
import { FACTS } from './facts.queries.js';
import { COUNTED_MAX, type FactsRow, type JudgedSupplier, type SupplierFacts } from './facts.types.js';

const SUPPLIERS = query<JudgedSupplier>(
  'conditions.suppliers',
  `SELECT id, code, name, status, cut_over AS "cutOver", quiet_after AS "quietAfter", archived_at AS "archivedAt"
     FROM import_supplier
    WHERE CASE WHEN :code::text IS NULL THEN archived_at IS NULL ELSE code = :code END
    ORDER BY code`,
);

/** Reads the facts from which the conditions of suppliers are judged. */
@Injectable()
export class ConditionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly totals: TotalsService,
  ) {}

  /**
   * The facts of suppliers, in two bounded queries for all of them.
   *
   * @param organisationId of a viewer who may not see the causes of others' refusals (choice A8); undefined for an operator
   * @returns in the order of the suppliers
   * Source: choice C12; decision 29 (docs/decisions/).
   */
  async factsOf<Supplier extends JudgedSupplier>(
    suppliers: readonly Supplier[],
    organisationId?: string,
  ): Promise<(SupplierFacts & { readonly supplier: Supplier })[]> {
    const now = this.clock.now();
    const own =
      organisationId === undefined
        ? null
        : await this.work.query((tx) =>
            findSenders(tx, 'ofOrganisation', { organisation_id: organisationId }),
          );
    const reader = { own_api_key_ids: own && [...own.keys()], count_max: COUNTED_MAX + 1 };
    const ids = suppliers.map(({ id }) => id);
    const rows = await this.work.queryOf(ids, (tx, some) =>
      run(tx, FACTS, { ...reader, import_supplier_ids: some }),
    );
    const minutes = await this.work.queryOf(ids, (tx, some) =>
      this.totals.minutes(tx, some, paceSince(now), 1),
    );
    return suppliers.flatMap((supplier) => {
      const row = rows.find(({ id }) => id === supplier.id);
      const ownMinutes = minutes.filter(({ importSupplierId }) => importSupplierId === supplier.id);
      return row ? [{ ...factsFrom(row, supplier, ownMinutes, now), supplier }] : [];
    });
  }

  /** {@link factsOf} all suppliers that are not archived. */
  async all(): Promise<SupplierFacts[]> {
    return this.factsOf(await this.work.query((tx) => run(tx, SUPPLIERS, { code: null })));
  }

  /** {@link factsOf} a supplier, archived or not. @throws CommandError `supplier_not_found` */
  async ofCode(code: string): Promise<SupplierFacts> {
    const [facts] = await this.factsOf(await this.work.query((tx) => run(tx, SUPPLIERS, { code })));
    if (!facts) throw await this.work.query((tx) => supplierNotFound(tx, code));
    return facts;
  }
}

function factsFrom(
  row: FactsRow,
  supplier: JudgedSupplier,
  minutes: SupplierFacts['pace']['minutes'],
  now: Date,
): SupplierFacts {
  const { pendingSince, lastImportedAt, refusals, refusalCause, failureCause, isUndone, storedInDay } = row;
  const totals = { ...row, control: { ...row.control, at: row.controlsAt } };
  const pace = { pendingSince, lastImportedAt, minutes };
  return {
    ...{ supplier, totals, pace, refusals, refusalCause, failureCause, isUndone, storedInDay },
    rows: rowProgress(totals),
    forecast: forecast(now, supplier.status, totals, pace),
    lag: { changes: row.lagChanges, seconds: row.lagSeconds },
    documents: row,
  };
}
