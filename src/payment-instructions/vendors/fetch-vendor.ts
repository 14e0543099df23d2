import { BODY_BYTES_MAX, failureOfStatus, isTemporaryStatus, VendorUnavailable } from './payment-vendor.js';

/** A vendor's complete answer. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * `fetch` with limits. It does not follow redirects, because the credentials would be sent along, and it reads at most
 * {@link BODY_BYTES_MAX} bytes.
 *
 * @param vendor the vendor's name, for error messages
 * @throws VendorUnavailable when the status is a temporary failure or the body is too long (choice P4)
 */
export async function fetchVendor(
  vendor: string,
  ...[address, options]: Parameters<typeof fetch>
): Promise<FetchedAnswer> {
  const response = await fetch(address, { ...options, redirect: 'manual' });
  const { status, headers } = response;
  if (isTemporaryStatus(status)) {
    await response.body?.cancel();
    throw failureOfStatus(status, `${vendor} answered with the status ${status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new VendorUnavailable(`${vendor} answered with more than ${BODY_BYTES_MAX} bytes.`);
    }
    chunks.push(chunk);
  }
  return { status, headers, text: Buffer.concat(chunks).toString('utf8') };
}

/** @returns undefined for a text that is not a JSON object or array */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
