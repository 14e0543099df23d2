import { AppError } from '../common/errors.js';
import { Batcher } from '../database/batcher.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import type { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { requireOpenAccount, type AccountAccess } from './account-access.js';
import type { ImportMode, ImportRequest } from './import-request.js';

/**
 * Runs the imports of one kind. Requests of the same supplier and organisation share a query; two for the same account never
 * do, so within a query no row of one request conflicts with a row of another.
 *
 * A kind of import implements {@link execute} with its repository.
 */
export abstract class ImportBatcher<Request extends ImportRequest, Row extends AccountAccess> extends Batcher<
  Request,
  Row
> {
  constructor(
    work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
  ) {
    super(work);
  }

  protected override rowsOf({ items }: Request): number {
    return items.length;
  }

  protected override ownerOf({ caller }: Request): string {
    return caller.organisationId;
  }

  protected override keyOf({ account }: Request): string {
    return account.externalAccountNumber;
  }

  /**
   * Import, or only try it: the same query decides in both modes, and a dry run is rolled back.
   *
   * @returns the row of a request whose account is open
   * @throws AppError what the account access check refuses ({@link requireOpenAccount})
   * Source: choices A8, S2, S8, T10, R1.
   */
  async import(request: Request, mode: ImportMode): Promise<Row> {
    const importSupplierId = await this.supplierIds.find(request.account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const row =
      mode === 'store'
        ? await this.enqueue(importSupplierId, request)
        : await this.dryRun(importSupplierId, request);
    requireOpenAccount(row);
    return row;
  }

  private async dryRun(importSupplierId: number, request: Request): Promise<Row> {
    const [row] = await this.work.atSupplier(importSupplierId, (at) =>
      at.inTurn(request.caller.organisationId, () =>
        at.dryRun((tx) => this.execute(tx, importSupplierId, [request])),
      ),
    );
    if (!row) throw new Error('An import was not answered.');
    return row;
  }
}
