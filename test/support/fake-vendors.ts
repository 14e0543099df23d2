import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.js';

/** How the fake answers one call. */
export interface Behaviour {
  /** Instead of answering, send nothing or cut the connection. */
  readonly instead?: 'silence' | 'cut';
  readonly status?: number;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The answer is delayed until this promise is fulfilled. */
  readonly after?: Promise<void>;
}

/** One call that reached the fake. */
export interface FakeCall {
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A fake of all payment vendors on a local port, for their real clients. */
export interface FakeVendors {
  readonly url: string;
  /** Set the answers to the calls for a reference: the first, the second, …; the last one repeats. */
  readonly script: (reference: string, ...behaviours: Behaviour[]) => void;
  readonly calls: (reference: string) => readonly FakeCall[];
  /** Every call, including those without a reference. */
  readonly allCalls: () => readonly FakeCall[];
  /** Fulfilled when `count` calls for a reference have arrived. */
  readonly arrived: (reference: string, count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The last part of a path is the reference, at every vendor. */
const referenceIn = (path: string): string => /\/([^/?]+)$/.exec(path)?.[1] ?? '';

/** @param otherwise the answer for a reference without a script */
export async function startFakeVendors(
  otherwise: (reference: string) => Behaviour = () => UNKNOWN_PATH,
): Promise<FakeVendors> {
  const scripts = new Map<string, Behaviour[]>();
  const calls: FakeCall[] = [];
  const waiting = new Set<() => void>();
  const callsFor = (reference: string): FakeCall[] =>
    calls.filter(({ path }) => referenceIn(path) === reference);

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.push({ path, authorization: request.headers.authorization });
    const reference = referenceIn(path);
    const script = scripts.get(reference) ?? [otherwise(reference)];
    const behaviour = script[Math.min(callsFor(reference).length, script.length) - 1] ?? UNKNOWN_PATH;
    void behave(behaviour, request, response);
    for (const look of waiting) look();
  });

  return {
    ...(await listening(server)),
    script: (reference, ...behaviours) => void scripts.set(reference, behaviours),
    calls: callsFor,
    allCalls: () => calls,
    arrived: (reference, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (callsFor(reference).length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

const UNKNOWN_PATH: Behaviour = { status: 404, body: 'Not found' };

async function behave(
  { instead, status = 200, body = '', headers = {}, after }: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (instead === 'silence') return;
  if (instead === 'cut') {
    request.socket.destroy();
    return;
  }
  await after;
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    .end(isText ? body : JSON.stringify(body));
}

/** A card in Stripe's format, including much that must not be stored. */
export function stripeCard(
  id: string,
  card: Record<string, unknown> = {},
  object = 'payment_method',
): Behaviour {
  return {
    body: {
      id,
      object,
      allow_redisplay: 'unspecified',
      billing_details: {
        address: { city: 'Graz', country: 'AT', line1: 'Gasse 1', postal_code: '8010' },
        email: 'jenny@example.com',
        name: 'Jenny Rosen',
        phone: null,
      },
      card: {
        brand: 'visa',
        checks: { cvc_check: 'pass' },
        country: 'US',
        exp_month: 8,
        exp_year: 2029,
        fingerprint: 'mToisGZ01V71BCos',
        funding: 'credit',
        last4: '4242',
        networks: { available: ['visa'] },
        ...card,
      },
      created: 1679945299,
      customer: 'cus_NffrFeUfNV2Hib',
      livemode: false,
      metadata: { number: '4242424242424242' },
      type: 'card',
    },
  };
}

/** Any other Stripe payment method. */
export function stripeMethod(id: string, type: string, details: object): Behaviour {
  return { body: { id, object: 'payment_method', created: 1679945299, type, [type]: details } };
}

export function stripeError(status: number, error: Record<string, unknown> = {}): Behaviour {
  return { status, body: { error: { type: 'invalid_request_error', message: 'As it happens.', ...error } } };
}

export const STRIPE_MISSING = stripeError(404, { code: 'resource_missing', param: 'payment_method' });

export function goCardlessMandate(id: string, mandate: Record<string, unknown> = {}): Behaviour {
  return {
    body: {
      mandates: {
        id,
        created_at: '2014-05-08T17:01:06.000Z',
        reference: 'REF-123',
        status: 'active',
        scheme: 'sepa_core',
        mandate_type: 'recurring',
        next_possible_charge_date: '2026-11-27',
        payments_require_approval: false,
        metadata: { iban: 'GB60BARC20000055779911' },
        links: { customer_bank_account: 'BA123', creditor: 'CR123', customer: 'CU123' },
        ...mandate,
      },
    },
  };
}

export function goCardlessError(status: number, type: string, reason: string): Behaviour {
  const message = 'As it happens.';
  return {
    status,
    body: { error: { message, errors: [{ reason, message }], type, request_id: 'REQ-1', code: status } },
  };
}

export const GOCARDLESS_MISSING = goCardlessError(404, 'invalid_api_usage', 'resource_not_found');
