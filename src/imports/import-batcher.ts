import { Batcher } from '../database/batcher.js';
import type { ImportMode, Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { Load } from './account-access.js';

/**
 * Where the loads of one kind are done. Small ones of the same supplier that wait at the same time share a statement; two
 * loads onto the same account never do, so within a statement no row of one stands in the way of another.
 */
export class ImportBatcher<L extends Load, Answer> {
  private readonly batches: Batcher<L, Answer>;

  /**
   * @param run does several loads in one statement, or only one; answers each of them, in their order
   * @param rowsOf how many rows a load brings
   */
  constructor(
    private readonly work: UnitOfWork,
    private readonly run: (tx: Tx, loads: readonly L[]) => Promise<readonly Answer[]>,
    rowsOf: (load: L) => number,
  ) {
    this.batches = new Batcher(work, {
      run,
      rowsOf,
      groupOf: ({ ref }) => ref.importSupplier,
      keyOf: ({ ref }) => ref.externalAccountNumber,
    });
  }

  /** Do a load, or only try it: the same statement decides in both modes, and a dry run is undone (contract R1). */
  async do(load: L, mode: ImportMode): Promise<Answer> {
    if (mode === 'store') return this.batches.ask(load);
    const [answer] = await this.work.load(mode, (tx) => this.run(tx, [load]));
    return answer as Answer;
  }
}
