import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SignedIn } from '../signed-in/signed-in.js';

/** What every part of a page may need to know of the request. */
export interface PageContext {
  /** Undefined on the pages without a session. */
  readonly signedIn: SignedIn | undefined;
  /** The token of a form of this page; a page without forms needs none. */
  readonly makeFormToken: () => string;
  /** Whether `/docs/` is there. */
  readonly hasDocs: boolean;
  /** When the page was made. */
  readonly now: Date;
  /** IANA name of the zone in which times are shown: the platform's, or the one that the viewer has chosen. */
  readonly timeZone: string;
}

const Context = createContext<PageContext | undefined>(undefined);

export const PageContextProvider = Context.Provider;

export function usePageContext(): PageContext {
  const context = useContext(Context);
  if (!context) throw new Error('A part of a page was rendered outside of a page.');
  return context;
}
