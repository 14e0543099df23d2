import { isWhole } from '../../../capabilities/proof/migration/migration.types.js';
import type { SupplierProgress } from '../progress/progress.types.js';

/** The next step that a supplier's migration needs. */
export type NextStep =
  'none' | 'stage' | 'resume' | 'import' | 'wait' | 'failed' | 'differing' | 'load' | 'complete';

/**
 * The next step of a migration, according to its totals. A step that blocks later ones comes first.
 *
 * Source: choice C2.
 */
export function nextStep({
  supplier,
  totals,
  forecast,
}: Omit<SupplierProgress, 'signs' | 'rows' | 'pace'>): NextStep {
  const { pending, in_progress, imported, failed } = totals.accounts;
  const { control } = totals;
  const waiting = pending + in_progress;
  if (supplier.status === 'complete') return 'none';
  if (supplier.status === 'paused') return 'resume';
  if (waiting + imported + failed <= 0) return 'stage';
  if (waiting > 0) return forecast.kind === 'stopped' ? 'import' : 'wait';
  if (failed > 0) return 'failed';
  if (control.too_many + control.wrong_amount > 0) return 'differing';
  const isLoaded = control.with > 0 || totals.loadedAccounts >= imported;
  return isWhole(totals) && isLoaded ? 'complete' : 'load';
}
