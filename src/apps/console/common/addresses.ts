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
const supplierAddress =
  (path: string) =>
  (code: string, parameters: Parameters = {}): string =>
    withQuery(`/console/suppliers/${encodeURIComponent(code)}${path}`, parameters);

/** The addresses of the pages (choice C2). Codes and numbers are percent-encoded as in the REST API. */
export const ADDRESSES = {
  overview: '/console/',
  signIn: '/console/sign-in',
  signOut: '/console/sign-out',
  requests: '/console/requests',
  /** All requests with an id that the signed-in user may see; a client may have sent an id several times. */
  request: (requestId: string): string => `/console/requests/${encodeURIComponent(requestId)}`,
  search: '/console/search',
  sessions: '/console/sessions',
  /** Where the time zone is chosen. */
  timeZone: '/console/time-zone',
  /** Outside the console: the guides and the API reference. */
  docs: '/docs/',
  /** The values of closed lists, in the guide. */
  allowedValues: '/docs/guides/loading/#allowed-values',
  /** The page from which the loader is downloaded. */
  loader: '/docs/loader/',
  supplier: supplierAddress(''),
  supplierStatus: supplierAddress('/status'),
  /** Its documents that are missing or were not looked up yet. */
  documents: supplierAddress('/documents'),
  documentsFile: supplierAddress('/documents.csv'),
  /** Its activity: runs of commands, changes, views. */
  activity: supplierAddress('/activity'),
  settings: supplierAddress('/settings'),
  /** The form with which an operator archives a supplier; its field is `archived`. */
  supplierArchive: supplierAddress('/archive'),
  /** Where an operator completes a supplier. */
  supplierCompletion: supplierAddress('/complete'),
  failures: supplierAddress('/failures'),
  cause: supplierAddress('/failures/cause'),
  refusalsFile: supplierAddress('/failures/refusals.csv'),
  /** The question for an operator before the accounts of a `cause` are retried, and the form that retries them. */
  retry: supplierAddress('/failures/retry'),
  /** The accounts of a supplier, with filters (choice C10). */
  accounts: supplierAddress('/accounts'),
  accountsFile: supplierAddress('/accounts.csv'),
  /** The accounts that differ from their control totals. */
  differences: supplierAddress('/differences'),
  differencesFile: supplierAddress('/differences.csv'),
  account: (code: string, number: string): string =>
    `/console/suppliers/${encodeURIComponent(code)}/accounts/${encodeURIComponent(number)}`,
} as const;
