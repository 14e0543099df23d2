import { ROLES, type PersonRoles } from '../../../infrastructure/config/person-roles.js';
import { CONTROL } from '../../../infrastructure/text/printable.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import type { Person } from '../signed-in/sessions.types.js';

/** The claims of an id token that was checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** A person without the organisation's token version, which the database knows. */
export type NamedPerson = Omit<Person, 'tokenVersion'>;

const NAME_LENGTH_MAX = 128;
/** The longest subject that the standard allows. */
const SUBJECT_LENGTH_MAX = 255;

/**
 * The person that the claims name, with the role. Somebody with several roles has all that they allow, unless one of them is that of a
 * supplier: a session sees either one organisation or everything.
 *
 * @returns a sentence for the person when the claims give no access
 * Source: choice C1.
 */
export function personOf(claims: Claims, roles: PersonRoles): NamedPerson | string {
  const { iss: issuer, sub: subject } = claims;
  if (subject.length > SUBJECT_LENGTH_MAX || CONTROL.test(subject))
    return 'The claim sub of your account is not valid.';
  const given = [claims[roles.claim]].flat();
  const has = ROLES.filter((role) => role in roles.values && given.includes(roles.values[role]));
  if (has.length === 0)
    return `The claim ${roles.claim} of your account ${claims[roles.claim] === undefined ? 'is missing' : 'has no value that means a role here'}.`;
  const person = { issuer, subject, person: nameOf(claims) };
  if (!has.includes('supplier'))
    return { ...person, role: has.includes('operator') ? 'operator' : 'viewer', organisationId: null };
  if (has.length > 1)
    return `Your account has the roles ${has.join(' and ')}, of which a session can have only one.`;
  const organisationId = claims[roles.organisation ?? ''];
  return typeof organisationId === 'string' && isUuid(organisationId)
    ? { ...person, role: 'supplier', organisationId }
    : noOrganisation(roles);
}

/** The sentence for a person of a supplier whose organisation is not known here. */
export function noOrganisation({ organisation = '' }: PersonRoles): string {
  return `The claim ${organisation} of your account is missing, or is not the id of an organisation of this service.`;
}

/** A name for people. Terminals and pages show it, so it has nothing that changes how they show other text. */
function nameOf({ name, preferred_username: username, sub }: Claims): string {
  const names = [name, username, sub].map((text) =>
    typeof text === 'string'
      ? text.toWellFormed().replace(new RegExp(CONTROL, 'gu'), ' ').replace(/\s+/g, ' ').trim()
      : '',
  );
  const found = names.find((text) => text !== '') ?? '';
  return Array.from(found).slice(0, NAME_LENGTH_MAX).join('').trim();
}
