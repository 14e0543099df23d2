import { Injectable, type Type } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { query, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ImportSupplier, ImportSupplierGrant } from './import-supplier.entity.js';

/** What an operator may change about a supplier. */
export type SupplierSettings = Pick<
  ImportSupplier,
  'status' | 'documentRoot' | 'documentCheck' | 'customerEmails'
>;

const LOCK_MODES = { change: 'for_no_key_update', keep: 'pessimistic_read' } as const;

/**
 * Locks of a supplier, which let imports go on. With `keep` a transaction relies on the settings as they are: such transactions do
 * not wait for one another. With `change` they wait.
 */
export type SupplierLock = keyof typeof LOCK_MODES;

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

  /** @param lock of the row, until the end of the transaction */
  findByCode(tx: Tx, code: string, lock?: SupplierLock): Promise<ImportSupplier | null> {
    return tx.findOne(ImportSupplier, { where: { code }, ...(lock && { lock: { mode: LOCK_MODES[lock] } }) });
  }

  /** The suppliers that an organisation may use, ordered by code. */
  listGranted(tx: Tx, organisationId: string): Promise<ImportSupplier[]> {
    return tx.find(ImportSupplier, { where: { grants: { organisationId } }, order: { code: 'ASC' } });
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
    const [row] = await insertNew(tx, ImportSupplier, columns, 'id');
    return row?.id;
  }

  async update(tx: Tx, id: number, settings: Partial<SupplierSettings>): Promise<void> {
    // Only a complete supplier is archived.
    const reopened = settings.status !== undefined && settings.status !== 'complete' && { archivedAt: null };
    await tx.update(ImportSupplier, id, { ...settings, ...reopened });
  }

  async setArchived(tx: Tx, id: number, isArchived: boolean): Promise<void> {
    await tx.update(ImportSupplier, id, { archivedAt: isArchived ? () => 'now()' : null });
  }

  /** @returns whether the grant is new */
  async grant(tx: Tx, importSupplierId: number, organisationId: string): Promise<boolean> {
    const grant = { importSupplierId, organisationId };
    return (await insertNew(tx, ImportSupplierGrant, grant, 'importSupplierId')).length > 0;
  }

  /** @returns whether there was a grant */
  async revoke(tx: Tx, importSupplierId: number, organisationId: string): Promise<boolean> {
    const { affected } = await tx.delete(ImportSupplierGrant, { importSupplierId, organisationId });
    return affected === 1;
  }
}

/** @returns the column of the row that was inserted; none when there is one already */
async function insertNew<Entity extends object, Column extends keyof Entity & string>(
  tx: Tx,
  entity: Type<Entity>,
  columns: QueryDeepPartialEntity<Entity>,
  returned: Column,
): Promise<Pick<Entity, Column>[]> {
  const insert = tx.createQueryBuilder().insert().into(entity).values(columns).orIgnore();
  const result = await insert.returning([returned]).updateEntity(false).execute();
  return result.raw as Pick<Entity, Column>[];
}
