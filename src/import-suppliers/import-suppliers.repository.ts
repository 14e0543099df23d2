import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { DocumentCheck, SupplierStatus } from './import-supplier.entity.js';

/** A supplier as an operator sees it. */
export interface SupplierRow {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  readonly document_root: string;
  readonly document_check: DocumentCheck;
  readonly customer_emails: boolean;
  /** Names of the organisations it is granted to, in their order. */
  readonly organisations: string[];
}

/** What is new about a supplier; null leaves a column as it is. */
export interface SupplierColumns {
  readonly status: SupplierStatus | null;
  readonly documentRoot: string | null;
  readonly documentCheck: DocumentCheck | null;
  readonly customerEmails: boolean | null;
}

const SHOW = query<SupplierRow>(
  'import_suppliers.show',
  `SELECT s.code, s.name, s.status, s.document_root, s.document_check, s.customer_emails,
          ARRAY(SELECT o.name
                  FROM import_supplier_grant g
                  JOIN organisation o ON o.id = g.organisation_id
                 WHERE g.import_supplier_id = s.id
                 ORDER BY o.name) AS organisations
     FROM import_supplier s
    WHERE $1::text IS NULL OR s.code = $1
    ORDER BY s.code`,
);

const STATUS = query<{ id: number; status: SupplierStatus }>(
  'import_suppliers.status',
  `SELECT id, status FROM import_supplier WHERE code = $1`,
);

const LOCK = query<{ id: number; status: SupplierStatus }>(
  'import_suppliers.lock',
  `SELECT id, status FROM import_supplier WHERE code = $1 FOR NO KEY UPDATE`,
);

const INSERT = query<{ id: number }>(
  'import_suppliers.insert',
  `INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $2, $3)
       ON CONFLICT (code) DO NOTHING
   RETURNING id`,
);

/** The change and its record are one statement, so neither can be without the other. */
const CHANGE = query<{ id: number }>(
  'import_suppliers.change',
  `WITH changed AS (
     UPDATE import_supplier
        SET status = coalesce($2, status),
            document_root = coalesce($3, document_root),
            document_check = coalesce($4, document_check),
            customer_emails = coalesce($5, customer_emails)
      WHERE code = $1
     RETURNING new.id, old.status AS from_status, new.status AS to_status
   ),
   recorded AS (
     INSERT INTO import_supplier_status_change (import_supplier_id, changed_by, from_status, to_status)
     SELECT id, $6, from_status, to_status FROM changed WHERE from_status <> to_status
   )
   SELECT id FROM changed`,
);

const GRANT = query<never>(
  'import_suppliers.grant',
  `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);

const REVOKE = query<never>(
  'import_suppliers.revoke',
  `DELETE FROM import_supplier_grant WHERE import_supplier_id = $1 AND organisation_id = $2`,
);

@Injectable()
export class ImportSuppliersRepository {
  /** @param code nothing for all of them, in the order of their codes */
  list(tx: Tx, code?: string): Promise<SupplierRow[]> {
    return run(tx, SHOW, [code ?? null]);
  }

  async findStatus(tx: Tx, code: string): Promise<{ id: number; status: SupplierStatus } | undefined> {
    const [row] = await run(tx, STATUS, [code]);
    return row;
  }

  /** As {@link findStatus}; until the transaction ends nobody else gets this lock, and loads go on. */
  async lock(tx: Tx, code: string): Promise<{ id: number; status: SupplierStatus } | undefined> {
    const [row] = await run(tx, LOCK, [code]);
    return row;
  }

  /** @returns its id, or nothing when the code is taken */
  async insert(tx: Tx, code: string, name: string, documentRoot: string): Promise<number | undefined> {
    const [row] = await run(tx, INSERT, [code, name, documentRoot]);
    return row?.id;
  }

  /** @returns whether there is such a supplier */
  async change(tx: Tx, code: string, columns: SupplierColumns, operator: string): Promise<boolean> {
    const { status, documentRoot, documentCheck, customerEmails } = columns;
    const rows = await run(tx, CHANGE, [code, status, documentRoot, documentCheck, customerEmails, operator]);
    return rows.length > 0;
  }

  async grant(tx: Tx, importSupplierId: number, organisationId: string): Promise<void> {
    await run(tx, GRANT, [importSupplierId, organisationId]);
  }

  async revoke(tx: Tx, importSupplierId: number, organisationId: string): Promise<void> {
    await run(tx, REVOKE, [importSupplierId, organisationId]);
  }
}
