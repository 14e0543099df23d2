import type { NewSession } from '../signed-in/sessions.types.js';

/** The ways to sign in that are configured. */
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
  /** The exceeded limit: on failed attempts or steps at the provider of one address, or on sign-ins of one key or person. */
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

/** The result of an attempt to sign in. `next` is the page to open, if the attempt kept it. */
export type SignInOutcome = { readonly session: NewSession; readonly next?: unknown } | SignInProblem;

/** The result of beginning a sign-in at the provider: the address to open and the value of the cookie. */
export type BeginOutcome = { readonly location: string; readonly begun: string } | SignInProblem;
