import { CommandError } from '../../infrastructure/errors/command-error.js';
import type { AccountRef } from '../../ingest/account-ref.js';

/** The command error for an account that does not exist. */
export function accountNotFound({ importSupplier, externalAccountNumber }: AccountRef): CommandError {
  return new CommandError(
    'account_not_found',
    `The import supplier ${importSupplier} has no account ${externalAccountNumber}; it was never staged, or is erased.`,
  );
}
