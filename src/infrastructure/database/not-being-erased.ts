/**
 * SQL for whether the account of an item is not being erased. If it is, the item only exists until it is removed.
 *
 * @param item alias of the item's table in the query; its supplier is the parameter `:import_supplier_id`
 */
export function isNotBeingErased(item: string): string {
  return `(SELECT 1
             FROM {account_erasure erased}
            WHERE erased.import_supplier_id = :import_supplier_id
              AND erased.external_account_number = ${item}.external_account_number
            LIMIT 1) IS NULL`;
}
