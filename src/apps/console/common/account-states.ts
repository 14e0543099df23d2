import type { AccountState } from '../../../accounts/status/account-state.js';

/** How the pages call the states of accounts. */
export const STATE_NAMES: Readonly<Record<AccountState, string>> = {
  pending: 'Pending',
  in_progress: 'In progress',
  imported: 'Imported',
  failed: 'Failed',
};
