import { IdentifierField } from '../infrastructure/validation/field.decorators.js';

/** How a request identifies an account: by the supplier's code and the account's number in the supplier's own system. */
export interface AccountRef {
  readonly importSupplier: string;
  readonly externalAccountNumber: string;
}

/** The path parameters of the lists. */
export class SupplierPathDto {
  @IdentifierField({ description: 'Code of the import supplier; compared exactly, including case.' })
  import_supplier: string;
}

/** The two fields at the start of every payload (specification 2.2), and the path parameters of the status endpoint. */
export class AccountRefDto extends SupplierPathDto {
  @IdentifierField({
    description: "Number of the account in the supplier's system; compared exactly, including case.",
  })
  external_account_number: string;
}

export function toAccountRef(dto: AccountRefDto): AccountRef {
  return { importSupplier: dto.import_supplier, externalAccountNumber: dto.external_account_number };
}
