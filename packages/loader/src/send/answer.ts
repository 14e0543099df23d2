/** An answer of the service. */
export interface Answer {
  readonly status: number;
  /** The pause of `Retry-After` in milliseconds. */
  readonly retryAfterMs?: number;
  /** The system's error code when the connection failed. */
  readonly systemCode?: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
}

/** The message when no other reason is known. */
export const NO_ANSWER = 'does not answer';

/** Messages about a service that cannot be reached, by system error code. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'accepts no connection at its address',
  ECONNRESET: 'breaks the connection',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached from this machine',
  ENOTFOUND: 'has a name that this machine does not know',
  EAI_AGAIN: 'has a name that this machine cannot look up',
  EPIPE: 'breaks the connection',
  EPROTO: 'does not answer with TLS; should the base URL begin with http://?',
};

const UNTRUSTED =
  'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS names a file with the authority of yours';

/** Says what the service does instead of accepting or rejecting, such as `answers 503`. */
export function whyNotAnswered({ status, systemCode }: Answer): string {
  if (systemCode === undefined) return status === 0 ? NO_ANSWER : `answers ${status}`;
  const isUntrusted = /CERT|SIGNATURE/.test(systemCode);
  return `${UNREACHED[systemCode] ?? (isUntrusted ? UNTRUSTED : NO_ANSWER)} (${systemCode})`;
}

/** The message when no request of any kind can succeed, with a hint at what to check. */
export function refusedText(
  answer: Answer,
  { code, detail }: { readonly code: string; readonly detail: string },
): string {
  if (answer.systemCode !== undefined) return `The service ${whyNotAnswered(answer)}.`;
  if (code === 'unexpected_answer') return `${detail} Is the base URL right?`;
  if (answer.status !== 401) return detail;
  const refused =
    code === 'api_key_refused' ? detail : `The service rejects the API key: ${detail || 'it answers 401.'}`;
  return `${refused} The key is from DATA_IMPORT_API_KEY, otherwise from --api-key-file.`;
}
