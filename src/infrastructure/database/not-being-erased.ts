/**
 * SQL for whether the account of an item is not being erased: otherwise the item is only there until it is removed.
 *
 * @param item alias of its table in the query, whose supplier is its parameter `:import_supplier_id`
 */
export function isNotBeingErased(item: string): string {
  return `(SELECT 1
             FROM {account_erasure erased}
            WHERE erased.import_supplier_id = :import_supplier_id
              AND erased.external_account_number = ${item}.external_account_number
            LIMIT 1) IS NULL`;
}
