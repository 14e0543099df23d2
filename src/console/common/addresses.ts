/** The addresses of the pages (choice C2); codes and numbers are percent-encoded like those of the REST interface. */
export const ADDRESSES = {
  overview: '/console/',
  signIn: '/console/sign-in',
  signOut: '/console/sign-out',
  requests: '/console/requests',
  /** All that a viewer may see of an id, which a client may have sent several times. */
  request: (requestId: string): string => `/console/requests/${encodeURIComponent(requestId)}`,
  search: '/console/search',
  sessions: '/console/sessions',
  /** Where the zone of the times is chosen. */
  timeZone: '/console/time-zone',
  /** Beside the console: the guides and the API reference. */
  docs: '/docs/',
  /** The values of closed lists, in the guide. */
  allowedValues: '/docs/guides/loading/#allowed-values',
  /** The page from which the loader is downloaded. */
  loader: '/docs/loader/',
  supplierStatus: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/status`,
  /** Its documents that are missing or were not looked up yet. */
  documents: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/documents`,
  /** What was done with it: runs of commands, changes, views. */
  activity: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/activity`,
  settings: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/settings`,
  /** Of the form by which an operator archives a supplier: its field is `archived`. */
  supplierArchive: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/archive`,
  /** Where an operator completes a supplier. */
  supplierCompletion: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/complete`,
  supplier: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}`,
  failures: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/failures`,
  /** The accounts of a supplier, with filters (choice C10). */
  accounts: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/accounts`,
  /** The accounts that differ from their control totals. */
  differences: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/differences`,
  /** Where an operator is asked before the accounts of a `cause` are retried, and of the form that does it. */
  retry: (code: string): string => `/console/suppliers/${encodeURIComponent(code)}/failures/retry`,
  account: (code: string, number: string): string =>
    `/console/suppliers/${encodeURIComponent(code)}/accounts/${encodeURIComponent(number)}`,
} as const;

/** An address with a query of the parameters that have a value. */
export function withQuery(
  address: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const query = new URLSearchParams(given).toString();
  return query === '' ? address : `${address}?${query}`;
}
