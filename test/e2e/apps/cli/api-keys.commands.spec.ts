import { runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { obtain, obtained } from '../../../support/graphql.js';
import { unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';

interface Issued {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('data-import api-key', () => {
  const service = setUp(sharedService);

  const issue = async (...args: string[]): Promise<Issued> => {
    const { exitCode, json } = await runJson(service.database, ['api-key', 'issue', ...args]);
    expect(exitCode).toBe(0);
    return json as Issued;
  };

  it('issues a key that obtains a token, lists it without its secret, and revokes it once (A6, A7, section 6)', async () => {
    const name = unique('Supplier & Söhne');
    const created = await runJson(service.database, ['organisation', 'create', name]);
    const organisation = created.json as { id: string };

    const { id, key, label, expires_at } = await issue(name, '--expires-in', '90d');
    expect(label).toBe('issued by test operator');
    expect(Math.round((Date.parse(expires_at!) - Date.now()) / 86_400_000)).toBe(90);
    const { payload } = await obtained(service, { apiKey: key });
    expect(payload).toMatchObject({ sub: organisation.id, key: id });

    const listed = await runJson(service.database, ['api-key', 'list', organisation.id]);
    expect(listed.json).toEqual([
      {
        id,
        prefix: key.slice(0, 25),
        label,
        created_at: expect.stringMatching(DATE_TIME) as string,
        expires_at,
        revoked_at: null,
        last_used_at: expect.stringMatching(DATE_TIME) as string,
        last_signed_in_at: null,
      },
    ]);
    expect(JSON.stringify(listed.json)).not.toContain(key.slice(-43));

    const revoked = await runJson(service.database, ['api-key', 'revoke', id]);
    expect(revoked.json).toEqual({ id, revoked_at: expect.stringMatching(DATE_TIME) as string });
    const refused = await obtain(service, { apiKey: key });
    expect(refused.body.errors![0]!.extensions.code).toBe('AUTHENTICATION_FAILED');
    const before = '2026-01-02T03:04:05Z';
    await service.database.sql('UPDATE api_key SET revoked_at = $2 WHERE id = $1', [id, before]);
    expect((await runJson(service.database, ['api-key', 'revoke', id])).json).toEqual({
      id,
      revoked_at: before,
    });
  });

  it('prints the key for a person together with the advice to store it (section 6)', async () => {
    const { organisationId } = await service.given.organisation();
    const { exitCode, stdout, stderr } = await runCommand(service.database, [
      ...['api-key', 'issue', organisationId, '--label', 'for the night job'],
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^id: {7}[0-9a-f-]{36}\nkey: {6}adi_live_\S+\nexpires: {2}never\n$/);
    expect(stderr).toMatch(/cannot be shown again\.\n$/);
    const listed = await runCommand(service.database, ['api-key', 'list', organisationId]);
    expect(listed.stdout).toMatch(
      /^Id .*\n(.*\n)?.* {2}for the night job {2}\S+ {2}never {4}never {4}never {6}never\n$/,
    );
  });

  it('reports when an organisation has no key (section 6)', async () => {
    await runJson(service.database, ['organisation', 'create', 'Keyless']);
    const listed = await runCommand(service.database, ['api-key', 'list', 'Keyless']);
    expect(listed).toEqual({ exitCode: 0, stdout: 'The organisation has no API key.\n', stderr: '' });
  });

  it.each([
    ['7200s', 2],
    ['180m', 3],
    ['36h', 36],
    ['2w', 336],
    ['36500d', 876_000],
  ])('issues a key that is valid for %s, which is %i hours (section 6)', async (duration, hours) => {
    const { organisationId } = await service.given.organisation();
    const { created_at, expires_at } = await issue(organisationId, '--expires-in', duration);
    expect(Math.round((Date.parse(expires_at!) - Date.parse(created_at)) / 3_600_000)).toBe(hours);
  });

  it.each([
    ['organisation_not_found', ['issue', 'nobody']],
    ['organisation_not_found', ['list', '0193a1b2-0000-7000-8000-000000000001']],
    ['api_key_not_found', ['revoke', 'no-id']],
    ['api_key_not_found', ['revoke', '0193a1b2-0000-7000-8000-000000000001']],
  ])('refuses with %s: %j (section 6)', async (code, args) => {
    expect(await runJson(service.database, ['api-key', ...args])).toMatchObject(refusedWith(code));
  });

  it.each([
    ['--expires-in', '90'],
    ['--expires-in', '0d'],
    ['--expires-in', '101w1'],
    ['--expires-in', '36501d'],
    ['--expires-in', '1y'],
    ['--label', ''],
  ])('refuses the option %s %j as wrong usage (section 6)', async (option, value) => {
    const detail = `option '${option} <${option === '--label' ? 'label' : 'duration'}>' argument '${value}' is invalid.`;
    expect(await runJson(service.database, ['api-key', 'issue', 'nobody', option, value])).toMatchObject({
      ...refusedWith('wrong_usage', expect.stringContaining(detail)),
      stderr: '',
    });
  });
});
