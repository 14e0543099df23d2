import { Injectable } from '@nestjs/common';
import { query, run } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';

/** After a change of the document root the same path has several locations. That of the latest request comes first. */
const LOCATIONS = query<{ location: string }>(
  'console.document_locations',
  `SELECT named.location
     FROM (SELECT s.document_location AS location, s.import_request_id
             FROM statement s
            WHERE s.import_supplier_id = :import_supplier_id AND s.external_account_number = :external_account_number
              AND s.statement_path = :path
            UNION ALL
           SELECT document.location, n.import_request_id
             FROM note n, unnest(n.document_paths, n.document_locations) AS document (path, location)
            WHERE n.import_supplier_id = :import_supplier_id AND n.external_account_number = :external_account_number
              AND document.path = :path) AS named
    GROUP BY named.location
    ORDER BY max(named.import_request_id::text) DESC
    LIMIT 10`,
);

@Injectable()
export class DocumentLocationsRepository {
  /** @param path as sent @returns an empty list when no note or statement of the account refers to it */
  async list(
    tx: Tx,
    importSupplierId: number,
    externalAccountNumber: string,
    path: string,
  ): Promise<string[]> {
    const rows = await run(tx, LOCATIONS, {
      import_supplier_id: importSupplierId,
      external_account_number: externalAccountNumber,
      path,
    });
    return rows.map(({ location }) => location);
  }
}
