import type { ComponentChildren } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import type { NewSession } from '../signed-in/sessions.types.js';

/** The places that the navigation names. */
export type Place = 'overview' | 'requests' | 'sessions' | 'docs';

/**
 * What a handler of the console returns, unless it streams. The status is 200, and 303 of a redirection (choice C1).
 */
export type ConsoleAnswer = Page | Redirection | CsvFile;

/** A page; what is around its body is added when it is rendered (layout/layout.tsx). */
export interface Page {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The place that the navigation marks as the present one. */
  readonly place?: Place;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a page that leads to a sign-in: the page to open afterwards, which the browser keeps; null when it is to keep none. */
  readonly wanted?: string | null;
  /** The pages above this one, from the top. */
  readonly breadcrumbs?: readonly Link[];
  /** Of a page of one supplier: between which parts the navigation leads. */
  readonly supplier?: { readonly code: string; readonly name: string; readonly part: SupplierPart };
}

/** The parts of what the console shows of a supplier. */
export type SupplierPart =
  'summary' | 'accounts' | 'failures' | 'requests' | 'differences' | 'documents' | 'activity' | 'settings';

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** The overview, the page of the supplier, and further pages above one. */
export function breadcrumbs(
  supplier?: { readonly code: string; readonly name: string },
  ...further: readonly Link[]
): Link[] {
  return [
    { text: 'Overview', href: ADDRESSES.overview },
    ...(supplier ? [{ text: supplier.name, href: ADDRESSES.supplier(supplier.code) }] : []),
    ...further,
  ];
}

/** What a page of a supplier has in common with the others: its navigation, and the pages above it. */
export function ofSupplier(
  { code, name }: { readonly code: string; readonly name: string },
  part: SupplierPart,
  ...further: readonly Link[]
): Pick<Page, 'place' | 'breadcrumbs' | 'supplier'> {
  return {
    place: 'overview',
    breadcrumbs: part === 'summary' ? breadcrumbs() : breadcrumbs({ code, name }, ...further),
    supplier: { code, name, part },
  };
}

export interface Redirection {
  /** Below `/console/`. */
  readonly location: string;
  /** A session that begins for the browser, or `ended` when its session is over. */
  readonly session?: NewSession | 'ended';
  /** The zone in which the browser is to be shown times from now on; null for that of the platform. */
  readonly timeZone?: string | null;
  /** Whether the key / is to lead to the box that finds from now on. */
  readonly hasFindKey?: boolean;
}
