import type { ComponentChildren } from 'preact';
import { ADDRESSES, type Place, type SupplierPart } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import type { NewSession } from '../signed-in/sessions.types.js';

/** The result of a handler of the console, unless it streams. The status is 200, or 303 for a redirection (choice C1). */
export type ConsoleAnswer = Page | Redirection | CsvFile;

/** The change that an answer makes to the session of the browser. */
interface SessionChange {
  /** A new session, whose cookie is set, or `ended` to delete the cookie of the browser's session. */
  readonly session?: NewSession | 'ended';
}

/** A page. The layout around its body is added when it is rendered (layout/layout.tsx). */
export interface Page extends SessionChange {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The place that the navigation marks as current. */
  readonly place?: Place;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The page to open after a sign-in. The browser keeps it in a cookie; null deletes the cookie. */
  readonly wanted?: string | null;
  /** The text that the search box keeps. */
  readonly found?: string;
  /** The pages above this one, from the top. */
  readonly breadcrumbs?: readonly Link[];
  /** For a page of one supplier: the supplier and the current part, for its navigation. */
  readonly supplier?: { readonly code: string; readonly name: string; readonly part: SupplierPart };
}

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** The overview, and further pages above this one. */
export function breadcrumbs(...further: readonly Link[]): Link[] {
  return [{ text: 'Overview', href: ADDRESSES.overview }, ...further];
}

/** The parts that all pages of a supplier share: the navigation, and the pages above. */
export function ofSupplier(
  { code, name }: { readonly code: string; readonly name: string },
  part: SupplierPart,
  ...further: readonly Link[]
): Pick<Page, 'place' | 'breadcrumbs' | 'supplier'> {
  const summary = { text: name, href: ADDRESSES.supplier(code) };
  return {
    place: 'overview',
    breadcrumbs: breadcrumbs(...(part === 'summary' ? [] : [summary, ...further])),
    supplier: { code, name, part },
  };
}

export interface Redirection extends SessionChange {
  /** Below `/console/`, or the provider at which a person signs in. */
  readonly location: string;
  /** The signed value of the cookie that a sign-in at the provider begins with. */
  readonly begun?: string;
}
