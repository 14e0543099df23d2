import { PageNotFound } from '../common/page-errors.js';

/** `/console/suppliers/CODE/accounts/NUMBER/documents/` in segments. */
const SEGMENTS_BEFORE = 7;

/**
 * The path of a document from the address of a request, whose segments are percent-encoded. It is read from the address
 * itself, because the router has decoded the whole path and an encoded slash would look like a separator.
 *
 * @param url of the request, which the router has matched
 * @throws PageNotFound when it encodes no path that can be stored
 * Source: choices C6, F2.
 */
export function documentPathOf(url: string): string {
  const [address = ''] = url.split('?', 1);
  const segments = address.split('/').slice(SEGMENTS_BEFORE).map(decode);
  if (segments.some((segment) => segment === '' || /[/\0]/.test(segment))) throw new PageNotFound();
  return segments.join('/');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PageNotFound();
  }
}
