import type { Prometheus } from '../../infrastructure/metrics/metrics.registry.js';
import type { Sample } from '../../infrastructure/metrics/prometheus.js';
import type { ConditionReadings, Reading } from './condition-readings.js';
import { CONDITION_NAMES, quietSince, secondsSince } from './conditions.js';

type Supplier = Reading['suppliers'][number];

/** The migrations of all suppliers that are not archived, with the code of the supplier as a label (choice O3). */
export function conditionMetrics({ readGauge }: Prometheus, readings: ConditionReadings): void {
  /** A gauge with one value a supplier, or none where it is not known. */
  const ofSupplier = (
    name: string,
    help: string,
    valueOf: (supplier: Supplier, now: Date) => number | null | undefined,
  ): void => {
    readGauge({
      ...{ name, help, labelNames: ['supplier'] },
      read: async () => {
        const { now, suppliers } = await readings.read();
        return suppliers.flatMap((one): Sample<'supplier'>[] => {
          const value = valueOf(one, now) ?? undefined;
          return value === undefined ? [] : [[{ supplier: one.supplier.code }, value]];
        });
      },
    });
  };
  readGauge({
    name: 'data_import_supplier_accounts',
    help: 'Accounts of a supplier by state',
    labelNames: ['supplier', 'state'],
    read: async () =>
      (await readings.read()).suppliers.flatMap(({ supplier: { code }, totals }) =>
        Object.entries(totals.accounts).map(([state, count]) => [{ supplier: code, state }, count] as const),
      ),
  });
  ofSupplier(
    'data_import_supplier_rows_expected',
    'Rows that control totals expect',
    ({ rows }) => rows?.expected,
  );
  ofSupplier('data_import_supplier_rows_stored', 'Rows stored of those', ({ rows }) => rows?.stored);
  ofSupplier(
    'data_import_supplier_accounts_differing',
    'Accounts that differ from their control totals',
    ({ totals }) => (totals.control.with > 0 ? totals.control.differ : undefined),
  );
  ofSupplier(
    'data_import_supplier_quiet_seconds',
    'Time since the last stored row, or the import',
    (facts, now) => {
      const since = quietSince(facts, now);
      return since && secondsSince(since, now);
    },
  );
  ofSupplier(
    'data_import_supplier_quiet_limit_seconds',
    'The time after which missing rows are a problem',
    ({ supplier }) => supplier.quietAfter,
  );
  ofSupplier(
    'data_import_supplier_feed_lag_changes',
    'Changes that the slowest reader has not done',
    ({ lag }) => lag.changes,
  );
  ofSupplier('data_import_supplier_feed_lag_seconds', 'Age of the oldest of them', ({ lag }) => lag.seconds);
  problemMetric({ readGauge }, readings);
}

/** The counts of all conditions, 0 where there is no problem: an alert of it then ends. */
function problemMetric({ readGauge }: Pick<Prometheus, 'readGauge'>, readings: ConditionReadings): void {
  readGauge({
    name: 'data_import_problems',
    help: 'How many accounts, requests, rows, documents, changes or keys have a problem',
    labelNames: ['supplier', 'condition'],
    read: async () => {
      const { suppliers, expiringKeys } = await readings.read();
      return [
        ...suppliers.flatMap(({ supplier: { code }, conditions }) =>
          CONDITION_NAMES.map((condition) => {
            const found = conditions.find(({ name, state }) => name === condition && state === 'problem');
            return [{ supplier: code, condition }, found?.count ?? 0] as const;
          }),
        ),
        [{ supplier: '', condition: 'key_expires' }, expiringKeys] as const,
      ];
    },
  });
}
