import type { NewSession } from '../signed-in/sessions.types.js';

/** Which ways to sign in there are. */
export interface SignInWays {
  /** At the provider, as a person. */
  readonly provider: boolean;
  /** With an API key of an organisation. */
  readonly keys: boolean;
  /** With a link that an operator has made. */
  readonly links: boolean;
}

export interface Throttled {
  readonly problem: 'throttled';
  /** Of attempts that failed or were begun from the same address, or of those that succeeded with the same key or person. */
  readonly limit: 'failures' | 'address' | 'key' | 'person';
  readonly waitSeconds: number;
}

export type SignInProblem =
  | { readonly problem: 'not_accepted' }
  /** The provider does not answer. */
  | { readonly problem: 'unavailable' }
  /** The provider has named a person who may not see anything here. The reason is a sentence. */
  | { readonly problem: 'no_access'; readonly reason: string }
  | Throttled;

/** How an attempt to sign in ended. `next` is the page to open, if the attempt kept it. */
export type SignInOutcome = { readonly session: NewSession; readonly next?: unknown } | SignInProblem;

/** How a sign-in at the provider began: with its address and the value of the cookie. */
export type BeginOutcome = { readonly location: string; readonly begun: string } | SignInProblem;
