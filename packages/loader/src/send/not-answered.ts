import type { Answer } from './refusal.js';

/** What is said of the service when nothing else is known. */
export const NO_ANSWER = 'does not answer';

/** What is said of a service that cannot be reached, by the codes of the system. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'accepts no connection at its address',
  ECONNRESET: 'breaks the connection',
  EHOSTUNREACH: 'cannot be reached from this machine',
  ENETUNREACH: 'cannot be reached from this machine',
  ENOTFOUND: 'has a name that this machine does not know',
  EAI_AGAIN: 'has a name that this machine cannot look up',
  EPIPE: 'breaks the connection',
};

/** What the service does instead of answering, such as `answers 503`. */
export function whyNotAnswered({ status, systemCode }: Answer): string {
  if (status !== 0) return `answers ${status}`;
  if (systemCode === undefined) return NO_ANSWER;
  return `${UNREACHED[systemCode] ?? NO_ANSWER} (${systemCode})`;
}
