/** Protection of a connection to PostgreSQL, in the values of libpq's parameter `sslmode`, weakest first. */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** The address parameters that control encryption, and the environment variables that libpq reads for them. */
const PARAMETERS = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslpassword: undefined,
  sslnegotiation: 'PGSSLNEGOTIATION',
} as const;
type Parameter = keyof typeof PARAMETERS;
const NAMES = Object.keys(PARAMETERS) as Parameter[];

/** Value of `sslrootcert` for the certificate authorities known to Node.js. */
const SYSTEM = 'system';

/** How connections are encrypted and verified, and the files that the operator names. */
export interface DatabaseTls {
  readonly mode: Exclude<Mode, 'disable'>;
  /** File of the certificate authorities; undefined for those known to Node.js. */
  readonly rootFile: string | undefined;
  /** Files of the client's certificate and key, and the password of the key. */
  readonly client: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly keyPassword: string | undefined;
  /** Whether a connection starts with the TLS handshake, for PostgreSQL 17 or newer. */
  readonly isDirect: boolean;
}

/**
 * How the connections of an address are encrypted. The parameters have the meaning that libpq gives them. pg gives `require` and
 * `verify-ca` another meaning and warns about it.
 *
 * Two differences from libpq: without `sslmode` nothing is encrypted; and no file in the home directory is read. `prefer` and
 * `allow`, which protect from nobody, are rejected, and so is any parameter that would be ignored.
 *
 * @param url postgres:// address of one server
 * @param variables environment variables, used for parameters that the address omits
 * @returns undefined if connections are not encrypted
 * @throws Error whose message is a sentence without its end, and repeats nothing of the address
 * Source: choice O9.
 */
export function databaseTls(url: string, variables: NodeJS.ProcessEnv): DatabaseTls | undefined {
  const parameters = new URL(url).searchParams;
  expectKnown(parameters);
  const [given, foundAs] = valuesOf(parameters, variables);
  const mode = modeOf(given, foundAs);
  if (mode === 'disable') return undefined;
  if (mode === undefined) {
    const named = NAMES.find((name) => foundAs[name] !== undefined && given[name] !== 'postgres');
    if (named === undefined) return undefined;
    throw new Error(`${foundAs[named]} needs sslmode, one of ${MODES.slice(1).join(', ')}`);
  }
  const { sslrootcert, sslcert, sslkey, sslpassword, sslnegotiation } = given;
  if (sslrootcert === SYSTEM && mode !== 'verify-full') {
    throw new Error(`${foundAs.sslrootcert}=${SYSTEM} needs sslmode=verify-full`);
  }
  if (mode === 'verify-ca' && sslrootcert === undefined) {
    throw new Error('sslmode=verify-ca needs sslrootcert, the file of the certificate authority');
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new Error('sslcert and sslkey are needed together');
  }
  if (isSocket(parameters, url, variables)) return undefined;
  return {
    mode,
    rootFile: sslrootcert === SYSTEM ? undefined : sslrootcert,
    client:
      sslcert !== undefined && sslkey !== undefined ? { certFile: sslcert, keyFile: sslkey } : undefined,
    keyPassword: sslpassword,
    isDirect: sslnegotiation === 'direct',
  };
}

/** An address without its TLS parameters, which pg would interpret differently. */
export function withoutTls(url: string): string {
  const address = new URL(url);
  const found = NAMES.filter((name) => address.searchParams.has(name));
  if (found.length === 0) return url;
  for (const name of found) address.searchParams.delete(name);
  return address.href;
}

type Values<T> = Partial<Record<Parameter, T>>;

/** The value of each parameter, and the name under which it was found. */
function valuesOf(
  parameters: URLSearchParams,
  variables: NodeJS.ProcessEnv,
): [Values<string>, Values<string>] {
  const [given, foundAs]: [Values<string>, Values<string>] = [{}, {}];
  for (const name of NAMES) {
    const variable = PARAMETERS[name];
    const inAddress = parameters.get(name) ?? '';
    const inVariable = (variable && variables[variable]) ?? '';
    if (inAddress === '' && inVariable === '') continue;
    given[name] = inAddress === '' ? inVariable : inAddress;
    foundAs[name] = inAddress === '' ? variable : name;
  }
  return [given, foundAs];
}

function modeOf(
  { sslmode, sslrootcert, sslnegotiation }: Values<string>,
  foundAs: Values<string>,
): Mode | undefined {
  if (sslnegotiation !== undefined && sslnegotiation !== 'postgres' && sslnegotiation !== 'direct') {
    throw new Error(`${foundAs.sslnegotiation} must be postgres or direct`);
  }
  if (sslmode === undefined) return sslrootcert === SYSTEM ? 'verify-full' : undefined;
  const mode = MODES.find((known) => known === sslmode);
  if (mode !== undefined) return mode;
  throw new Error(
    `${foundAs.sslmode} must be one of ${MODES.join(', ')}; prefer and allow would use a connection without encryption`,
  );
}

/** Rejects unsupported parameters. Ignoring them would leave a connection less protected than the address says. */
function expectKnown(parameters: URLSearchParams): void {
  if (parameters.has('ssl')) throw new Error(`ssl is written sslmode, one of ${MODES.join(', ')}`);
  const unknown = [...parameters.keys()].find((name) => name.startsWith('ssl') && !(name in PARAMETERS));
  if (unknown !== undefined) {
    const parameter = /^\w+$/.test(unknown) ? unknown : 'a parameter that begins with ssl';
    throw new Error(`${parameter} is not supported`);
  }
  if (parameters.get('channel_binding') === 'require') {
    throw new Error('channel_binding=require is not supported; sslmode=verify-full protects from the same');
  }
}

/** Whether the host is a directory of Unix sockets, as for libpq. Such connections are never encrypted. */
function isSocket(parameters: URLSearchParams, url: string, variables: NodeJS.ProcessEnv): boolean {
  const { hostname } = new URL(url);
  const host = parameters.get('host') ?? (hostname === '' ? (variables.PGHOST ?? '') : hostname);
  return host.startsWith('/') || /^%2f/i.test(host);
}
