import { described, identifier } from '../common/validation/rules.js';
import { Required } from '../common/validation/field.decorators.js';

/** How a request names an account: the supplier's code, and the account's number in the supplier's own system. */
export interface AccountRef {
  readonly importSupplier: string;
  readonly externalAccountNumber: string;
}

/** The rule of a supplier's code, wherever a request names one. */
export const supplierCode = described(
  identifier,
  'Code of the import supplier; compared exactly, case included.',
);

/** The pair that every payload begins with (specification 2.2), and the path of the status endpoint. */
export class AccountRefDto {
  @Required(supplierCode)
  import_supplier: string;

  @Required(
    described(
      identifier,
      'Number of the account in the system of the supplier; compared exactly, case included.',
    ),
  )
  external_account_number: string;
}

export function toAccountRef(dto: AccountRefDto): AccountRef {
  return { importSupplier: dto.import_supplier, externalAccountNumber: dto.external_account_number };
}
