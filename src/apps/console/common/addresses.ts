type Parameters = Readonly<Record<string, string | null | undefined>>;

/** An address with a query string of the parameters that have a value. */
export function withQuery(address: string, parameters: Parameters): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const query = new URLSearchParams(given).toString();
  return query === '' ? address : `${address}?${query}`;
}

/** The address of a page of a supplier, with its parameters. */
function supplierAddress(path: string): (code: string, parameters?: Parameters) => string {
  return (code, parameters = {}) =>
    withQuery(`/console/suppliers/${encodeURIComponent(code)}${path}`, parameters);
}

/** A page that the navigation leads to. */
interface NavigationEntry {
  readonly text: string;
  readonly address: string;
  /** A summary of the page for docs/console.md. */
  readonly about: string;
  /** The page does not exist for others (choice C3). */
  readonly operatorsOnly?: true;
}

/** The pages that the navigation leads to, in its order. */
export const NAVIGATION = {
  overview: { text: 'Overview', address: '/console/', about: 'suppliers, and what needs attention' },
  causes: {
    text: 'Failures',
    address: '/console/failures',
    about: 'why requests and imports failed, at all suppliers',
  },
  requests: { text: 'Requests', address: '/console/requests', about: 'import requests, newest first' },
  sessions: { text: 'Sessions', address: '/console/sessions', about: 'live sessions', operatorsOnly: true },
  docs: { text: 'Docs', address: '/docs/', about: 'guides and the API reference, outside the console' },
} as const satisfies Record<string, NavigationEntry>;

/** The name of a page in the navigation. */
export type Place = keyof typeof NAVIGATION;

/** The entries of the navigation. */
export const PLACES = Object.entries(NAVIGATION) as [Place, NavigationEntry][];

/** The pages of one supplier, in the order of their navigation. */
export const SUPPLIER_PARTS = {
  summary: { text: 'Summary', address: supplierAddress('') },
  /** With filters (choice C10). */
  accounts: { text: 'Accounts', address: supplierAddress('/accounts') },
  failures: { text: 'Failures', address: supplierAddress('/failures') },
  requests: {
    text: 'Requests',
    address: (code: string) => withQuery(NAVIGATION.requests.address, { supplier: code }),
  },
  /** The accounts that differ from their control totals. */
  differences: { text: 'Mismatches', address: supplierAddress('/differences') },
  /** Those that are missing or were not looked up yet. */
  documents: { text: 'Documents', address: supplierAddress('/documents') },
  /** Runs of commands, changes, views. */
  activity: { text: 'Activity', address: supplierAddress('/activity') },
  settings: { text: 'Settings', address: supplierAddress('/settings') },
} as const;

export type SupplierPart = keyof typeof SUPPLIER_PARTS;

/** The addresses of the entries of a navigation, by their names. */
function addressesOf<Entries extends Readonly<Record<string, { readonly address: unknown }>>>(
  entries: Entries,
): { readonly [Name in keyof Entries]: Entries[Name]['address'] } {
  const addresses = Object.entries(entries).map(([name, { address }]) => [name, address]);
  return Object.fromEntries(addresses) as { readonly [Name in keyof Entries]: Entries[Name]['address'] };
}

/** The addresses of the pages (choice C2). Codes and numbers are percent-encoded as in the REST API. */
export const ADDRESSES = {
  ...addressesOf(SUPPLIER_PARTS),
  ...addressesOf(NAVIGATION),
  signIn: '/console/sign-in',
  /** Redirects a person to the provider, which redirects back to `signInCallback`. */
  signInStart: '/console/sign-in/start',
  signInCallback: '/console/sign-in/callback',
  signOut: '/console/sign-out',
  /** All requests with an id that the signed-in user may see; a client may have sent an id several times. */
  request: (requestId: string): string => `/console/requests/${encodeURIComponent(requestId)}`,
  search: '/console/search',
  /** The values of closed lists, in the guide. */
  allowedValues: '/docs/guides/write-a-client/#allowed-values',
  supplier: SUPPLIER_PARTS.summary.address,
  supplierStatus: supplierAddress('/status'),
  documentsFile: supplierAddress('/documents.csv'),
  /** The form with which an operator archives a supplier; its field is `archived`. */
  supplierArchive: supplierAddress('/archive'),
  /** Where an operator completes a supplier. */
  supplierCompletion: supplierAddress('/complete'),
  cause: supplierAddress('/failures/cause'),
  refusalsFile: supplierAddress('/failures/refusals.csv'),
  /** The question for an operator before the accounts of a `cause` are retried, and the form that retries them. */
  retry: supplierAddress('/failures/retry'),
  accountsFile: supplierAddress('/accounts.csv'),
  differencesFile: supplierAddress('/differences.csv'),
  account: (code: string, accountNumber: string): string =>
    `/console/suppliers/${encodeURIComponent(code)}/accounts/${encodeURIComponent(accountNumber)}`,
} as const;
