/** The roles in the console: a viewer reads everything, an operator also makes changes, a supplier reads what the organisation is granted. */
export const ROLES = ['viewer', 'operator', 'supplier'] as const;

export type PersonRole = (typeof ROLES)[number];

/** The claims that decide the role of a person (the setting OIDC_ROLES). */
export interface PersonRoles {
  /** The claim that holds the role. */
  readonly claim: string;
  /** The claim with the id of the organisation of a supplier's person. */
  readonly organisation: string | undefined;
  /** The value of the claim for each configured role. */
  readonly values: Readonly<Partial<Record<PersonRole, string>>>;
}

const NAMES = ['claim', ...ROLES, 'organisation'];

/**
 * Read `claim=NAME; viewer=VALUE; operator=VALUE; supplier=VALUE; organisation=NAME`. A value may contain spaces and `=`.
 *
 * @throws Error whose message completes the sentence "OIDC_ROLES …"
 */
export function personRoles(text: string): PersonRoles {
  const named = new Map<string, string>();
  for (const part of text.split(';')) {
    const [, name = '', value = ''] = /^\s*([a-z]+)=(.*?)\s*$/.exec(part) ?? [];
    if (!NAMES.includes(name) || value === '' || named.has(name)) {
      throw new Error(
        `must have parts such as viewer=VALUE, one each of ${NAMES.join(', ')}, and ${JSON.stringify(part.trim())} is none`,
      );
    }
    named.set(name, value);
  }
  const values = Object.fromEntries(
    ROLES.flatMap((role) => (named.has(role) ? [[role, named.get(role)]] : [])),
  );
  const [claim, organisation] = [named.get('claim'), named.get('organisation')];
  if (claim === undefined) throw new Error('must name the claim with the roles: claim=groups');
  const distinct = new Set(Object.values(values));
  if (distinct.size === 0 || distinct.size < Object.keys(values).length) {
    throw new Error('must give each role a value of its own, and at least one role');
  }
  if ('supplier' in values !== (organisation !== undefined)) {
    throw new Error(
      'must name the claim with the id of the organisation where it has the role supplier, and only there: organisation=org_id',
    );
  }
  return { claim, organisation, values };
}
