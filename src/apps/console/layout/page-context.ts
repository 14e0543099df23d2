import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CatalogueValues } from '../../../infrastructure/validation/rules/runtime-limits.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** Facts about the request that any part of a page may need. */
export interface PageContext {
  /** Undefined on pages without a session. */
  readonly user: SignedInUser | undefined;
  /** Makes the token for the forms of this page. A page without forms needs none. */
  readonly makeFormToken: () => string;
  /** Whether `/docs/` is available. */
  readonly hasDocs: boolean;
  /** The allowed values of fields; empty on pages without a session. */
  readonly catalogues: CatalogueValues;
  /** When the page was made. */
  readonly now: Date;
  /** IANA name of the time zone of the page: the browser's if it is known, or the platform's. */
  readonly timeZone: string;
}

const Context = createContext<PageContext | undefined>(undefined);

export const PageContextProvider = Context.Provider;

export function usePageContext(): PageContext {
  const context = useContext(Context);
  if (!context) throw new Error('A part of a page was rendered outside of a page.');
  return context;
}
