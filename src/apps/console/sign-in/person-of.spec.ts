import { personRoles } from '../../../infrastructure/config/person-roles.js';
import { personOf } from './person-of.js';

const ROLES = personRoles('claim=groups; viewer=v; operator=o; supplier=s; organisation=org');
const ORGANISATION = '01920000-0000-7000-8000-000000000000';

const personWith = (claims: object): ReturnType<typeof personOf> =>
  personOf({ iss: 'https://provider.example', sub: '1', ...claims }, ROLES);

describe('the person that claims name', () => {
  it.each([
    [{ groups: 'v' }, 'viewer', null],
    [{ groups: ['staff', 'v', 'o'] }, 'operator', null],
    [{ groups: ['s'], org: ORGANISATION }, 'supplier', ORGANISATION],
    [{ groups: 'v', sub: 'x'.repeat(255) }, 'viewer', null],
  ])('with %j has the role %s (C1)', (claims, role, organisationId) => {
    expect(personWith(claims)).toMatchObject({ role, organisationId });
  });

  it.each([
    ['groups of your account is missing', [{}]],
    [
      'groups of your account has no value that means a role',
      ['viewers', 'V', 'v,o', ['x v'], [['v']], { v: true }].map((groups) => ({ groups })),
    ],
    ['the roles viewer and supplier', [{ groups: ['s', 'v'], org: ORGANISATION }]],
    [
      'org of your account is missing, or is not the id',
      [undefined, 'x', [ORGANISATION], `${ORGANISATION} `].map((org) => ({ groups: 's', org })),
    ],
    [
      'sub of your account is not valid',
      ['x'.repeat(256), '1\n', '1\u202e'].map((sub) => ({ groups: 'v', sub })),
    ],
  ])('has no access: %s (C1)', (sentence, wrong) => {
    for (const claims of wrong) expect(personWith(claims)).toContain(sentence);
  });

  it.each([
    [{ name: ' Maria\u202e  L\n' }, 'Maria L'],
    [{ name: ' ', preferred_username: 'maria' }, 'maria'],
    [{ name: 7 }, '1'],
    [{ name: '😀'.repeat(129) }, '😀'.repeat(128)],
  ])('with %j has a name that changes no other text (C1)', (claims, person) => {
    expect(personWith({ groups: 'v', ...claims })).toMatchObject({ person });
  });
});
