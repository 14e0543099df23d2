import type { QueryParameters } from '../../../infrastructure/database/query.js';

/** An account of a supplier. */
export interface AccountKey {
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
}

/** SQL condition: the row `item` of an item's table belongs to the account. */
export const isOfAccount = (item: string): string =>
  `${item}.import_supplier_id = :import_supplier_id AND ${item}.external_account_number = :external_account_number`;

export const keyValues = ({ importSupplierId, externalAccountNumber }: AccountKey): QueryParameters => ({
  import_supplier_id: importSupplierId,
  external_account_number: externalAccountNumber,
});
