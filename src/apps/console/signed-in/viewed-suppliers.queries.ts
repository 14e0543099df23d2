import { query } from '../../../infrastructure/database/query.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

/** The suppliers that are granted to an organisation; all of them when it is null. */
const VIEWED = `
  SELECT s.id, s.code, s.name, s.status, s.document_root AS "documentRoot", s.document_check AS "documentCheck",
         s.customer_emails AS "customerEmails", s.created_at AS "createdAt", s.archived_at AS "archivedAt",
         s.cut_over AS "cutOver", s.quiet_after AS "quietAfter"
    FROM import_supplier s
   WHERE (:organisation_id::uuid IS NULL OR EXISTS (
           SELECT FROM import_supplier_grant g WHERE g.import_supplier_id = s.id AND g.organisation_id = :organisation_id))`;

export const LIST_VIEWED = query<ViewedSupplier>('console.list_suppliers', `${VIEWED} ORDER BY s.code`);

/** Runs with each page of a supplier. */
export const FIND_VIEWED = query<ViewedSupplier>('console.find_supplier', `${VIEWED} AND s.code = :code`);
