import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { ApiError, GoCardlessClient, MalformedResponseError } from 'gocardless-nodejs';
import { VendorAnswer, WORD } from './vendor-answer.js';
import {
  BODY_BYTES_MAX,
  failureOfStatus,
  isVendorId,
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
} from './payment-vendor.js';

export interface GoCardlessOptions {
  /** Access token; one that may only read is enough. */
  readonly token: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** For one call, from connecting to the last byte. */
  readonly timeoutMs: number;
}

/** Mandates at GoCardless (`MD…`). */
export class GoCardlessVendor implements PaymentVendor {
  readonly name = 'GOCARDLESS';
  private readonly client: GoCardlessClient;

  constructor(options: GoCardlessOptions) {
    this.client = boundedClient(options);
  }

  async find(reference: string): Promise<InstructionDetails | undefined> {
    if (!isVendorId(reference)) return undefined;
    let answer: unknown;
    try {
      answer = await this.client.mandates.find(reference);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw translate(error);
    }
    return toDetails(new VendorAnswer(answer), reference);
  }
}

/** The part of the SDK that makes options for the HTTP library below it (`got`). */
interface SdkConnection {
  createRequestOptions: (...request: unknown[]) => object;
}

/**
 * The SDK with bounds that it offers no options for: where it calls and that it follows nobody elsewhere (the token would
 * go along), how long a call may take (without this, for ever), that it calls once (without this, three times, and later
 * still if the vendor asks for it), and how long a body may be; and with the true status of every answer. All this is set
 * where the SDK makes its request; should a new version make it elsewhere, the start fails here, or the tests with a
 * vendor of their own do.
 */
function boundedClient({ token, url, timeoutMs }: GoCardlessOptions): GoCardlessClient {
  const client = new GoCardlessClient(token);
  const connection = Reflect.get(client, '_api') as SdkConnection;
  const standard = connection.createRequestOptions.bind(connection);
  connection.createRequestOptions = (...request) => ({
    ...standard(...request),
    prefixUrl: url,
    timeout: timeoutMs,
    retry: 0,
    followRedirect: false,
    // So that bytes are counted as they are read.
    decompress: false,
    request: boundedRequest,
    hooks: { beforeError: [putIntoForm] },
  });
  return client;
}

/** Ask as the HTTP library does by itself, but give up a body that is longer than any that could be read. */
function boundedRequest(url: URL, options: RequestOptions): ClientRequest {
  const request = (url.protocol === 'http:' ? http : https).request(url, options);
  // In front of the library, which reads from the same moment on.
  request.prependOnceListener('response', (response: IncomingMessage) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) response.destroy();
    });
  });
  return request;
}

/** What the HTTP library says of an answer of 300 and above. */
interface HttpError extends Error {
  readonly response?: { body: unknown };
}

/**
 * Give an error whose body is not GoCardless's own the form of one: a proxy may have answered in its place, or nobody has
 * said anything. The SDK fails at such a body, and says 500 whatever the status was.
 */
function putIntoForm(error: HttpError): HttpError {
  if (error.name === 'HTTPError' && error.response && !isOwnError(error.response.body)) {
    error.response.body = { error: { message: '', type: 'in another form', errors: [] } };
  }
  return error;
}

function isOwnError(body: unknown): boolean {
  const errors = (body as { error?: { errors?: unknown } | null } | null)?.error?.errors;
  return Array.isArray(errors) && errors.every((one) => typeof one === 'object' && one !== null);
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof ApiError) || !Array.isArray(error.errors)) return false;
  return error.errors.some(({ reason }) => reason === 'resource_not_found');
}

/** The SDK's errors carry the request with its token, so only what is said of them here goes on to the log. */
function translate(error: unknown): VendorRefusal | VendorUnavailable {
  if (error instanceof ApiError) {
    const { statusCode } = error.response as { statusCode: number };
    return failureOfStatus(statusCode, `GoCardless answered ${statusCode} (${error.errorType}).`);
  }
  // A TypeError comes from the SDK's reaching into a body that is JSON but no object.
  if (error instanceof MalformedResponseError || error instanceof TypeError) {
    return new VendorRefusal('unreadable', 'GoCardless answered with something that cannot be read.');
  }
  return new VendorUnavailable(`There is no connection to GoCardless: ${(error as Error).message}.`);
}

function toDetails(answer: VendorAnswer, reference: string): InstructionDetails {
  answer.text('id', new RegExp(`^${reference}$`));
  const mandateType = answer.optionalText('mandate_type', WORD);
  const chargeableFrom = answer.optionalText('next_possible_charge_date', /^\d{4}-\d\d-\d\d$/);
  return {
    kind: 'direct_debit',
    kept: {
      scheme: answer.text('scheme', WORD),
      status: answer.text('status', WORD),
      ...(mandateType !== undefined && { mandate_type: mandateType }),
      ...(chargeableFrom !== undefined && { next_possible_charge_date: chargeableFrom }),
    },
  };
}
