/** What a database must allow, in the words of libpq's parameter `target_session_attrs`. */
export const SESSION_ATTRIBUTES = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

/** One server of an address. */
export interface DatabaseHost {
  /** Host and port as they are written, without secrets. */
  readonly name: string;
  /** postgres:// address of this server alone, with every parameter, as pg reads it; never log it. */
  readonly url: string;
}

/** What a postgres:// address says. */
export interface DatabaseAddress {
  /** One or more, in the order in which they are tried. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly database: string;
  readonly sessionAttributes: SessionAttributes;
}

/** Scheme, user and password, hosts, and the rest: database, parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s;
/** A name, an IPv4 address, or an IPv6 address in brackets; and a port. */
const HOST = /^(?:[^\s:[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;
const PORT_MAX = 65_535;

/**
 * Read the address of a database, which may name several servers as those of libpq do:
 * `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`. pg and `URL` understand one server only.
 *
 * An address of one server stays as it is written, so it may be anything that pg understands, for example a directory of
 * sockets (`?host=/run/postgresql`).
 *
 * @param ofSeveral what several servers must allow when the address does not say it: the service writes, so one that
 *   accepts no changes is not the one meant
 * @throws Error whose message completes the sentence "NAME …" and repeats nothing of the address, which holds a password
 * Source: choice O7.
 */
export function databaseAddress(text: string, ofSeveral: SessionAttributes = 'read-write'): DatabaseAddress {
  const [, scheme, user = '', list = '', rest = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined) throw new Error(EXAMPLE);
  const names = list.split(',');
  if (names.length > 1) names.forEach(expectHost);
  // An unencoded / in a password: what looks like hosts is a part of it.
  if (names.length > 1 && /^[^?#]*@/.test(rest))
    throw new Error(`must have no @ after its hosts; ${ENCODED}`);
  const hosts = names.map((name) => ({ name, url: `${scheme}${user}${name}${rest}` }));
  const [first, ...others] = hosts;
  if (first === undefined || !URL.canParse(first.url)) throw new Error(EXAMPLE);
  const { host, pathname, searchParams } = new URL(first.url);
  for (const parameter of ['host', 'port']) {
    const isList = searchParams.get(parameter)?.includes(',') === true;
    if (isList || (others.length > 0 && searchParams.has(parameter))) {
      throw new Error(`must name several hosts before the database, and not in its parameter ${parameter}`);
    }
  }
  const wanted = searchParams.get('target_session_attrs');
  const sessionAttributes = SESSION_ATTRIBUTES.find((known) => known === wanted);
  if (wanted !== null && sessionAttributes === undefined) {
    throw new Error(
      `must have one of ${SESSION_ATTRIBUTES.join(', ')} as its parameter target_session_attrs`,
    );
  }
  return {
    hosts: others.length > 0 ? [first, ...others] : [{ name: host, url: text }],
    database: pathname.slice(1),
    sessionAttributes: sessionAttributes ?? (others.length > 0 ? ofSeveral : 'any'),
  };
}

const EXAMPLE =
  'must be a PostgreSQL address such as postgres://user:password@host:5432/database, or with several hosts postgres://user:password@one:5432,two:5432/database';

const ENCODED = 'in a user name or password / is written %2F, ? is %3F and # is %23';

/** Says which host, and does not repeat it: it is a part of the password where that contains an unencoded `/`. */
function expectHost(name: string, index: number): void {
  const [isHost, port = '1'] = HOST.exec(name) ?? [];
  if (isHost !== undefined && Number(port) >= 1 && Number(port) <= PORT_MAX) return;
  throw new Error(
    `must have a name, or an IPv6 address in brackets, and a port from 1 to ${PORT_MAX} as its host ${index + 1}; ${ENCODED}`,
  );
}
