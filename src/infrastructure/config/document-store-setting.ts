import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bucket of an object store. */
export interface BucketAddress {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  /** If undefined, the settings of the AWS tools must name it. */
  readonly region: string | undefined;
}

/** The default region of S3-compatible services. */
const DEFAULT_REGION = 'us-east-1';

const PARAMETERS = new Set(['endpoint', 'region']);

/**
 * Check the whole address of the document store before anything is started.
 *
 * @param text `file:///folder` or `s3://bucket?endpoint=…&region=…`
 * @returns the text
 * @throws Error whose message completes the sentence "DOCUMENT_STORE …"
 * Source: choice F4; choices, section 6.
 */
export function documentStore(text: string): string {
  if (!/^(file:\/\/\/|s3:\/\/[^/?]+)/.test(text) || !URL.canParse(text)) {
    throw new Error('must be file:///folder or s3://bucket?endpoint=…&region=…');
  }
  if (text.startsWith('s3:')) bucketAddress(text);
  else if (!isFolder(text)) {
    throw new Error(
      'must name its folder with %25, %3F and %23 for the characters %, ? and #, and without %2F or control characters',
    );
  }
  return text;
}

/**
 * The parts of an `s3://` address.
 *
 * @throws Error as {@link documentStore}
 */
export function bucketAddress(text: string): BucketAddress {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.port !== '') {
    throw new Error(
      'must be s3://bucket?endpoint=…&region=…; credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, host and port in endpoint=…',
    );
  }
  if (!['', '/'].includes(url.pathname) || url.hash !== '') {
    throw new Error('names a bucket only; a folder in it belongs in each supplier’s document root');
  }
  // The message does not repeat the parameter's name, because it could be a key pasted by mistake.
  if (![...url.searchParams.keys()].every((name) => PARAMETERS.has(name))) {
    throw new Error('accepts the parameters endpoint=… and region=… only');
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !(/^https?:\/\/[^/]/.test(endpoint) && URL.canParse(endpoint))) {
    throw new Error('must name its endpoint as http://… or https://…');
  }
  const region = url.searchParams.get('region') ?? (endpoint === undefined ? undefined : DEFAULT_REGION);
  return { bucket: url.hostname, endpoint, region };
}

/** Whether an address names a folder. A query or fragment would be ignored, so it counts as a mistake. */
function isFolder(text: string): boolean {
  const { search, hash } = new URL(text);
  try {
    const folder = fileURLToPath(text);
    return isAbsolute(folder) && !/\p{Cc}/u.test(folder) && search === '' && hash === '';
  } catch {
    return false;
  }
}
