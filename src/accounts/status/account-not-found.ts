import { CommandError } from '../../infrastructure/errors/command-error.js';
import type { AccountRef } from '../../ingest/account-ref.js';

/** The error of a command for an account that is not there. */
export function accountNotFound({ importSupplier, externalAccountNumber }: AccountRef): CommandError {
  return new CommandError(
    'account_not_found',
    `The import supplier ${importSupplier} has no account ${externalAccountNumber}; it was never staged, or is erased.`,
  );
}
