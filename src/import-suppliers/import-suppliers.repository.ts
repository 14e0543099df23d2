import { Injectable } from '@nestjs/common';
import { query, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ImportSupplier, ImportSupplierGrant } from './import-supplier.entity.js';

/** What an operator may change about a supplier. */
export type SupplierSettings = Pick<
  ImportSupplier,
  'status' | 'documentRoot' | 'documentCheck' | 'customerEmails'
>;

/** A transaction that waits for the lock of a row has this one until it gets the other. */
const IS_CHANGE_WAITING = query<{ is_waiting: boolean }>(
  'suppliers.is_change_waiting',
  `SELECT EXISTS (
            SELECT
              FROM pg_locks
             WHERE locktype = 'tuple'
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND relation = 'import_supplier'::regclass::oid
               AND granted
          ) AS is_waiting`,
);

@Injectable()
export class ImportSuppliersRepository {
  /**
   * Suppliers with their grants, ordered by code and by the name of the organisation.
   *
   * @param code of one supplier; all of them by default
   */
  list(tx: Tx, code?: string): Promise<ImportSupplier[]> {
    return tx.find(ImportSupplier, {
      ...(code !== undefined && { where: { code } }),
      relations: { grants: { organisation: true } },
      order: { code: 'ASC', grants: { organisation: { name: 'ASC' } } },
    });
  }

  findByCode(tx: Tx, code: string): Promise<ImportSupplier | null> {
    return tx.findOneBy(ImportSupplier, { code });
  }

  /** As {@link findByCode}, with a row lock that lets imports go on, until the end of the transaction. */
  lock(tx: Tx, code: string): Promise<ImportSupplier | null> {
    return tx.findOne(ImportSupplier, { where: { code }, lock: { mode: 'for_no_key_update' } });
  }

  /** As {@link lock}, for transactions that rely on the settings as they are: they do not wait for one another. */
  lockSettings(tx: Tx, code: string): Promise<ImportSupplier | null> {
    return tx.findOne(ImportSupplier, { where: { code }, lock: { mode: 'pessimistic_read' } });
  }

  /** Whether a transaction waits for the lock of a supplier; not known on several nodes. */
  async isChangeWaiting(tx: Tx): Promise<boolean> {
    return (await runForOne(tx, IS_CHANGE_WAITING, {})).is_waiting;
  }

  /** @returns its id; nothing when the code is taken */
  async insert(
    tx: Tx,
    columns: Pick<ImportSupplier, 'code' | 'name' | 'documentRoot'>,
  ): Promise<number | undefined> {
    const result = await tx
      .createQueryBuilder()
      .insert()
      .into(ImportSupplier)
      .values(columns)
      .orIgnore()
      .returning(['id'])
      .updateEntity(false)
      .execute();
    const [row] = result.raw as { id: number }[];
    return row?.id;
  }

  async update(tx: Tx, id: number, settings: SupplierSettings): Promise<void> {
    await tx.update(ImportSupplier, id, settings);
  }

  /** @returns whether the grant is new */
  async grant(tx: Tx, importSupplierId: number, organisationId: string): Promise<boolean> {
    const result = await tx
      .createQueryBuilder()
      .insert()
      .into(ImportSupplierGrant)
      .values({ importSupplierId, organisationId })
      .orIgnore()
      .returning(['importSupplierId'])
      .updateEntity(false)
      .execute();
    return (result.raw as unknown[]).length > 0;
  }

  /** @returns whether there was a grant */
  async revoke(tx: Tx, importSupplierId: number, organisationId: string): Promise<boolean> {
    const { affected } = await tx.delete(ImportSupplierGrant, { importSupplierId, organisationId });
    return affected === 1;
  }
}
