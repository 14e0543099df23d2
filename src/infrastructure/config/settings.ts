import { documentStore } from './document-store-setting.js';
import { personRoles } from './person-roles.js';
import {
  address,
  folder,
  issuerUrl,
  networks,
  oneOf,
  optional,
  originUrl,
  postgresUrl,
  signingKeys,
  timeZone,
  vendorKey,
  wholeNumber,
} from './setting-parsers.js';
import { VENDOR_NAMES, VENDORS, type VendorName } from './vendors.js';

/** One environment variable: its meaning, and how its text becomes a value. */
export interface Setting<T> {
  /** Text of the value if the variable is absent; without it the setting has no value, which is written `none`. */
  readonly default?: string;
  readonly unit: string;
  /** The value is never printed, even if it is invalid. Addresses may contain a key by mistake. */
  readonly isSecret?: true;
  readonly meaning: string;
  /** @throws Error whose message completes the sentence "NAME …". */
  readonly parse: (text: string) => T;
}

const VENDOR_SECRETS = Object.fromEntries(
  VENDOR_NAMES.map((name) => [
    VENDORS[name].secret,
    {
      isSecret: true,
      unit: 'text',
      meaning: `${VENDORS[name].secretMeaning} of the payment vendor ${name}; none: the vendor is not configured.`,
      parse: optional(vendorKey),
    },
  ]),
) as Record<(typeof VENDORS)[VendorName]['secret'], Setting<string | undefined>>;

const VENDOR_ADDRESSES = Object.fromEntries(
  VENDOR_NAMES.map((name) => [
    `${name}_API_URL`,
    {
      isSecret: true,
      default: VENDORS[name].url,
      unit: 'https:// address',
      meaning: `Address of the payment vendor ${name}${VENDORS[name].aboutUrl}.`,
      parse: originUrl,
    },
  ]),
) as Record<`${VendorName}_API_URL`, Setting<string>>;

/** The settings that each deployment decides, in the order of the documentation. */
const SET_THESE = {
  PORT: {
    default: '3000',
    unit: 'TCP port',
    meaning: 'Port that the service listens on; 0: any free port.',
    parse: wholeNumber(0, 65_535),
  },
  HOST: {
    default: '127.0.0.1',
    unit: 'address',
    meaning: 'Address that the service listens on; 0.0.0.0 makes it reachable from the network.',
    parse: address,
  },
  DATABASE_URL: {
    isSecret: true,
    unit: 'postgres:// address',
    meaning:
      'PostgreSQL to use, by the one address that always leads to its primary: postgres://user:password@host:5432/database. none: an embedded PostgreSQL inside DATA_DIR.',
    parse: optional(postgresUrl),
  },
  DATA_DIR: {
    default: '.data',
    unit: 'folder',
    meaning:
      'Folder of the embedded PostgreSQL, the documents and the generated secrets, closed to other users. A relative name starts at the project’s folder.',
    parse: folder,
  },
  TOKEN_SIGNING_KEY: {
    isSecret: true,
    unit: 'text, 32 characters or more',
    meaning:
      'Key that signs the tokens. Of two keys, separated by a comma, the first signs and both verify. Required with DATABASE_URL, otherwise generated in DATA_DIR.',
    parse: optional(signingKeys),
  },
  DOCUMENT_STORE: {
    isSecret: true,
    unit: 'file:///… or s3://…',
    meaning: 'Location of the documents; a folder must exist. none: the folder documents inside DATA_DIR.',
    parse: optional(documentStore),
  },
  PLATFORM_TIMEZONE: {
    default: 'UTC',
    unit: 'IANA time zone',
    meaning: 'Time zone that decides the current calendar day.',
    parse: timeZone,
  },
  TRUSTED_PROXIES: {
    unit: 'addresses',
    meaning:
      'Proxies, separated by commas, whose headers X-Forwarded-For and X-Forwarded-Proto are trusted: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal.',
    parse: optional(networks),
  },
  DRAIN_SECONDS: {
    default: '0',
    unit: 'seconds',
    meaning:
      'How long requests are accepted after the signal to stop, while /health/ready answers 503: longer than the balancer needs to notice it.',
    parse: wholeNumber(0, 3_600),
  },
  METRICS_PORT: {
    unit: 'TCP port',
    meaning: 'Port of /metrics for Prometheus; none: off.',
    parse: optional(wholeNumber(0, 65_535)),
  },
  METRICS_HOST: {
    default: '127.0.0.1',
    unit: 'address',
    meaning: 'Address that /metrics listens on.',
    parse: address,
  },
  CONSOLE: {
    unit: 'on, off',
    meaning: 'Whether /console/ serves the console; none: on with the embedded PostgreSQL, else off.',
    parse: optional(oneOf('on', 'off')),
  },
  ...VENDOR_SECRETS,
} satisfies Record<string, Setting<unknown>>;

/** The settings that decide who opens the console, and how. */
const SIGN_IN = {
  OIDC_ISSUER: {
    unit: 'https:// address',
    meaning:
      'OpenID Connect provider at which people sign in to the console, exactly as it names itself; http:// only on this machine. none: nobody does.',
    parse: optional(issuerUrl),
  },
  OIDC_CLIENT_ID: {
    unit: 'text',
    meaning: 'Id of this service at the provider.',
    parse: optional((text: string) => text),
  },
  OIDC_CLIENT_SECRET: {
    isSecret: true,
    unit: 'text',
    meaning: 'Secret of this service at the provider, sent as client_secret_post.',
    parse: optional((text: string) => text),
  },
  OIDC_ROLES: {
    unit: 'name=value; …',
    meaning:
      'The claim that decides who may do what, its value for each role that there is, and for suppliers the claim with the id of the organisation: claim=groups; viewer=import-viewers; operator=import-operators; supplier=import-suppliers; organisation=org_id.',
    parse: optional(personRoles),
  },
  CONSOLE_URL: {
    unit: 'https:// address',
    meaning:
      'Address of the service for browsers, without a path; http:// only on this machine. The provider sends people back to /console/sign-in/callback below it, and the links of console link begin with it.',
    parse: optional(originUrl),
  },
  CONSOLE_SESSION_HOURS: {
    default: '8',
    unit: 'hours',
    meaning: 'How long a session of the console lasts.',
    parse: wholeNumber(1, 12),
  },
  CONSOLE_LINKS: {
    default: 'on',
    unit: 'on, off',
    meaning:
      'Whether console link prints links for operators; off: only with --break-glass, which is recorded.',
    parse: oneOf('on', 'off'),
  },
  CONSOLE_KEY_SIGN_IN: {
    default: 'on',
    unit: 'on, off',
    meaning: 'Whether an API key of an organisation signs in to the console.',
    parse: oneOf('on', 'off'),
  },
} satisfies Record<string, Setting<unknown>>;

/** The settings whose defaults fit, unless a measurement or a rule of the platform says otherwise. */
const LEAVE_THESE = {
  DATABASE_POOL_MAX: {
    default: '10',
    unit: 'connections',
    meaning: 'Largest number of database connections of one process.',
    parse: wholeNumber(2, 200),
  },
  DATABASE_STATEMENTS: {
    default: 'prepared',
    unit: 'prepared, plain',
    meaning:
      'Whether queries are prepared once per connection. Use plain behind a pooler that does not support prepared statements.',
    parse: oneOf('prepared', 'plain'),
  },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    default: '30000',
    unit: 'milliseconds',
    meaning:
      'Longest time that a query of a request may take, including its waits for locks. A query that takes longer has no effect, and the request is answered with 503. With DATABASE_STATEMENTS=plain the query itself continues; the service stops waiting for it a second later.',
    parse: wholeNumber(100, 3_600_000),
  },
  TOKEN_TTL_SECONDS: {
    default: '3600',
    unit: 'seconds',
    meaning: 'Lifetime of a token.',
    parse: wholeNumber(1, 86_400),
  },
  REFRESH_TOKEN_TTL_SECONDS: {
    default: '604800',
    unit: 'seconds',
    meaning: 'Lifetime of a refresh token.',
    parse: wholeNumber(1, 31_536_000),
  },
  TOKEN_FAILURES_PER_MINUTE: {
    default: '10',
    unit: 'calls a minute',
    meaning: 'Failed token calls of one address that are answered with their own error.',
    parse: wholeNumber(1, 1_000_000),
  },
  REQUESTS_PER_MINUTE: {
    unit: 'requests a minute',
    meaning:
      'Data-import requests and GraphQL requests with a token allowed to one organisation; none: no limit.',
    parse: optional(wholeNumber(1, 100_000_000)),
  },
  BODY_LIMIT_BYTES: {
    default: '10485760',
    unit: 'bytes',
    meaning: 'Largest request body.',
    parse: wholeNumber(1_024, 268_435_456),
  },
  ITEMS_MAX: {
    default: '5000',
    unit: 'items',
    meaning: 'Largest number of notes, transactions or statements in one request.',
    parse: wholeNumber(1, 100_000),
  },
  CONNECTIONS_MAX: {
    default: '5000',
    unit: 'connections',
    meaning: 'Most connections of clients that one process keeps open; a further one is closed at once.',
    parse: wholeNumber(1, 1_000_000),
  },
  SANDBOX_VENDOR: {
    unit: 'on, off',
    meaning:
      'Whether there is the payment vendor SANDBOX, which confirms made-up instructions; none: on with the embedded PostgreSQL, off with DATABASE_URL.',
    parse: optional(oneOf('on', 'off')),
  },
  ...VENDOR_ADDRESSES,
  PAYMENT_VENDOR_TIMEOUT_MS: {
    default: '10000',
    unit: 'milliseconds',
    meaning:
      'Longest time that the calls to a payment vendor for one request may take, retries included. A vendor that does not answer is not called again for half as long.',
    parse: wholeNumber(100, 10_000),
  },
  PAYMENT_VENDOR_REQUESTS_MAX: {
    default: '100',
    unit: 'requests',
    meaning:
      'Largest number of requests for which one process calls one payment vendor concurrently; a further one is answered with 503.',
    parse: wholeNumber(1, 10_000),
  },
  RETENTION_REFUSALS_DAYS: {
    default: '30',
    unit: 'days',
    meaning: 'How long rejected import requests are kept for the history of accounts.',
    parse: wholeNumber(1, 3_650),
  },
  RETENTION_STAGED_DAYS: {
    default: '90',
    unit: 'days',
    meaning:
      'How long the staged object of an account is kept after the import; none: until the account is erased.',
    parse: optional(wholeNumber(1, 3_650)),
  },
  RETENTION_VIEWS_DAYS: {
    default: '90',
    unit: 'days',
    meaning: 'How long the record of sign-ins and of views of accounts is kept.',
    parse: wholeNumber(1, 3_650),
  },
  LOG_LEVEL: {
    default: 'info',
    unit: 'fatal, error, warn, info, debug, trace, silent',
    meaning: 'Lowest level of the log lines that are written.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  DOCS: {
    default: 'on',
    unit: 'on, off',
    meaning: 'Whether /docs/ serves the API reference, the guides and the loader, without a sign-in.',
    parse: oneOf('on', 'off'),
  },
  DEMONSTRATION: {
    default: 'on',
    unit: 'on, off',
    meaning:
      'Whether a start that finds an empty embedded database creates the demonstration; with DATABASE_URL there is none.',
    parse: oneOf('on', 'off'),
  },
  OPERATOR: {
    unit: 'text',
    meaning: 'Name recorded with changes by operator commands; none: the user name of the system.',
    parse: optional((text: string) => text),
  },
} satisfies Record<string, Setting<unknown>>;

/**
 * All settings of the service. `.env.example` and the tables in docs/operating/settings.md are generated from them.
 *
 * Source: choices, section 6.
 */
export const SETTINGS = { ...SET_THESE, ...SIGN_IN, ...LEAVE_THESE };

/** The parts of the documentation. */
export const PARTS: readonly {
  readonly title: string;
  readonly about: string;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
}[] = [
  {
    title: 'Set these',
    about: 'What depends on where the service runs. Without any of them it runs on this machine, for trials.',
    settings: SET_THESE,
  },
  {
    title: 'Signing in as a person',
    about:
      'Who opens the console, and how. With one that begins with OIDC_, all of these and CONSOLE_URL are required.',
    settings: SIGN_IN,
  },
  {
    title: 'Leave these',
    about: 'The defaults fit, unless a measurement or a rule of your platform says otherwise.',
    settings: LEAVE_THESE,
  },
];

export type SettingName = keyof typeof SETTINGS;
type Parsed = { readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['parse']> };

/** The typed values of all settings. */
export type Environment = Parsed;

/** Injection token of {@link Environment}, which is read once when the process starts. */
export const ENVIRONMENT = Symbol('ENVIRONMENT');
