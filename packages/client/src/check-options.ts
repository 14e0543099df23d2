import { validateHeaderValue } from 'node:http';
import { InvalidInputError } from './errors.js';
import type {
  CallOptions,
  ChangesOptions,
  ClientOptions,
  ContentOptions,
  CreateOptions,
  CreateTransactionsOptions,
  ListContentsOptions,
  ListOptions,
} from './options.js';
import type { RetryOptions } from './retry.js';

/** The accepted values of an option, checked at run time for programs in plain JavaScript. */
interface Rule {
  /** Completes the sentence `it must be …`. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** Rules for the members of an option that is itself an object of options. */
  readonly members?: Rules;
  readonly isRequired?: true;
}

type Rules = Readonly<Record<string, Rule>>;

/** A rule for each option of a type: a missing rule does not compile. */
type RulesOf<Options> = { readonly [Name in keyof Required<Options>]: Rule };

/** Longest delay of a Node.js timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const BOOLEAN: Rule = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
const TEXT: Rule = { expected: 'a string', accepts: (value) => typeof value === 'string' };
const FUNCTION: Rule = { expected: 'a function', accepts: (value) => typeof value === 'function' };

function whole(min: number, max = Infinity): Rule {
  return {
    expected: `a whole number from ${min}${max === Infinity ? '' : ` to ${max}`}`,
    accepts: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  };
}

/** A duration without an upper limit. */
const DURATION: Rule = {
  expected: 'a number of milliseconds from 0',
  accepts: (value) => typeof value === 'number' && value >= 0,
};

const RETRY: RulesOf<RetryOptions> = {
  attempts: {
    expected: 'a whole number from 1, or Infinity',
    accepts: (value) => value === Infinity || whole(1).accepts(value),
  },
  maxWaitMs: DURATION,
  giveUpAfterMs: DURATION,
};

const CALL: RulesOf<CallOptions> = {
  signal: { expected: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  requestId: {
    expected: 'a string of 1 to 128 letters, digits, ".", "_" and "-"',
    accepts: (value) => typeof value === 'string' && /^[\w.-]{1,128}$/.test(value),
  },
  timeoutMs: {
    expected: `a number of milliseconds above 0 and up to ${TIMER_MS_MAX}`,
    accepts: (value) => typeof value === 'number' && value > 0 && value <= TIMER_MS_MAX,
  },
  retry: {
    expected: 'false or an object',
    accepts: (value) => value === false || isObject(value),
    members: RETRY,
  },
};

const CREATE: RulesOf<CreateOptions> = { ...CALL, dryRun: BOOLEAN };

const LIST: RulesOf<ListOptions> = { ...CALL, after: TEXT, pageSize: whole(1, 10_000) };

/** The option rules of the client and of each kind of call. */
export const OPTIONS = {
  client: {
    baseUrl: { ...TEXT, isRequired: true },
    apiKey: {
      expected: 'a string or a function',
      accepts: (value) => TEXT.accepts(value) || FUNCTION.accepts(value),
      isRequired: true,
    },
    connections: whole(1),
    timeoutMs: CALL.timeoutMs,
    retry: CALL.retry,
    onRetry: FUNCTION,
    userAgent: { expected: 'a string that a header can have', accepts: isHeader },
    ca: {
      expected: 'PEM as a string or a Buffer, or a list of them',
      accepts: (value) => (Array.isArray(value) ? value.every(isPem) : isPem(value)),
    },
    clock: { expected: 'an object', accepts: isObject },
  } satisfies RulesOf<ClientOptions>,
  call: CALL,
  content: { ...CALL, rows: BOOLEAN, rowDigests: BOOLEAN } satisfies RulesOf<ContentOptions>,
  create: CREATE,
  createTransactions: {
    ...CREATE,
    checkPreviouslyAdded: BOOLEAN,
    forceAddToCurrentStatement: BOOLEAN,
  } satisfies RulesOf<CreateTransactionsOptions>,
  list: LIST,
  listContents: { ...LIST, rowDigests: BOOLEAN } satisfies RulesOf<ListContentsOptions>,
  changes: {
    ...CALL,
    supplier: { ...TEXT, isRequired: true },
    cursor: { expected: 'a string or null', accepts: (value) => value === null || TEXT.accepts(value) },
    reader: TEXT,
  } satisfies RulesOf<ChangesOptions>,
};

/**
 * Check the options of a call. An option that is `undefined` counts as omitted.
 *
 * @throws InvalidInputError naming the first option that is unknown, missing or invalid
 */
export function checkOptions(options: unknown, rules: Rules, path = ''): void {
  if (!isObject(options)) throw new InvalidInputError(path || 'options', 'it must be an object');
  const given = options as Readonly<Record<string, unknown>>;
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) {
      const known = Object.keys(rules).join(', ');
      throw new InvalidInputError(prefix + name, `there is no such option; there are ${known}`);
    }
    if (value === undefined) continue;
    if (!rule.accepts(value)) throw new InvalidInputError(prefix + name, `it must be ${rule.expected}`);
    if (rule.members && isObject(value)) checkOptions(value, rule.members, prefix + name);
  }
  for (const [name, { isRequired, expected }] of Object.entries(rules)) {
    if (isRequired && given[name] === undefined)
      throw new InvalidInputError(prefix + name, `it must be ${expected}`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPem(value: unknown): boolean {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

function isHeader(value: unknown): boolean {
  try {
    if (typeof value === 'string') validateHeaderValue('user-agent', value);
    return typeof value === 'string';
  } catch {
    return false;
  }
}
