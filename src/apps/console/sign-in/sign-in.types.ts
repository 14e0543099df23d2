import type { NewSession } from '../signed-in/sessions.types.js';

/** How an attempt to sign in ended. */
export type SignInOutcome =
  | { readonly session: NewSession }
  | { readonly problem: 'not_accepted' }
  /** Too many attempts failed from the same address, or too many succeeded with the same key. */
  | {
      readonly problem: 'throttled';
      readonly limit: 'address' | 'key';
      readonly waitSeconds: number;
    };
