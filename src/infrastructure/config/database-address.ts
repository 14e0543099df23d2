/** Scheme, user and password, host, and the rest: database, parameters. */
const ADDRESS = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)(.*)$/s;

const EXAMPLE = 'must be a PostgreSQL address such as postgres://user:password@host:5432/database';
const ONE_ADDRESS =
  'give it the one address that a proxy, PgBouncer, Patroni or a managed service keeps pointing at the primary (docs/operating/fail-over.md)';

/**
 * Check that the text is the address of one server, as pg reads it. Choosing the primary among several servers is the task of a
 * component in front of PostgreSQL.
 *
 * @throws Error whose message completes the sentence "NAME …" and repeats nothing of the address, because it contains a password
 * Source: choice O7.
 */
export function expectDatabaseAddress(text: string): void {
  const [, host, rest = ''] = ADDRESS.exec(text) ?? [];
  // With an unencoded / in the password, the host would be the beginning of the password.
  if (host === undefined || (host.includes(',') && /^[^?#]*@/.test(rest))) throw new Error(EXAMPLE);
  const parameters = new URL(`postgres://host${rest}`).searchParams;
  const named = [host, parameters.get('host'), parameters.get('port')];
  if (named.some((name) => name?.includes(',') === true)) {
    throw new Error(`must not name several hosts: ${ONE_ADDRESS}`);
  }
  if (parameters.has('target_session_attrs')) {
    throw new Error(`must not have target_session_attrs: ${ONE_ADDRESS}`);
  }
  if (!URL.canParse(text)) throw new Error(EXAMPLE);
}
