import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { buildProgram } from '../../src/cli/main.js';
import { runCommand, runJson, type CommandEnd } from '../support/cli.js';
import { issueKey, obtain, obtained } from '../support/graphql.js';
import { startService, unique, type TestService } from '../support/service.js';

interface Organisation {
  id: string;
  name: string;
}
interface Issued {
  id: string;
  key: string;
  label: string;
  created_at: string;
  expires_at: string | null;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('the commands organisation and api-key', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    await service.stop();
  });

  /** A command in this process, for those that print nothing because they fail. */
  const failing = (...words: string[]): Promise<unknown> =>
    buildProgram(
      {
        calledFrom: '.',
        operator: 'tester',
        interrupted: new AbortController().signal,
        services: () => Promise.resolve(service.app),
        database: () => Promise.reject(new Error('These commands need the services only.')),
        say: () => undefined,
        progress: () => ({ advance: () => undefined, stop: () => undefined }),
      },
      true,
    ).parseAsync(words, { from: 'user' });

  it('take up an organisation, give it a key that obtains a token, and revoke the key (A6, section 6)', async () => {
    const name = unique('Supplier & Söhne');
    const run = async (...words: string[]): Promise<CommandEnd & { json: Organisation & Issued }> => {
      const end = await runCommand(service.database, [...words, '--json']);
      return { ...end, json: JSON.parse(end.stdout) as Organisation & Issued };
    };
    const created = await run('organisation', 'create', name);
    expect(created).toMatchObject({ exitCode: 0, stderr: '', json: { name } });
    expect(Object.keys(created.json)).toEqual(['id', 'name']);

    const issued = await run('api-key', 'issue', name, '--expires-in', '90d');
    const { id, key, label, expires_at } = issued.json;
    expect({ exitCode: issued.exitCode, label }).toEqual({ exitCode: 0, label: 'issued by test operator' });
    expect(Math.round((Date.parse(expires_at!) - Date.now()) / 86_400_000)).toBe(90);
    const { payload } = await obtained(service, { apiKey: key });
    expect(payload).toMatchObject({ sub: created.json.id, key: id });

    const listed = await run('api-key', 'list', created.json.id);
    expect(listed.json).toEqual([
      {
        id,
        prefix: key.slice(0, 25),
        label,
        created_at: expect.stringMatching(MOMENT) as string,
        expires_at,
        revoked_at: null,
        last_used_at: expect.stringMatching(MOMENT) as string,
      },
    ]);
    expect(listed.stdout).not.toContain(key.slice(-43));

    const revoked = await run('api-key', 'revoke', id);
    expect(revoked.json).toEqual({ id, revoked_at: expect.stringMatching(MOMENT) as string });
    const refused = await obtain(service, { apiKey: key });
    expect(refused.body.errors![0]!.extensions.code).toBe('AUTHENTICATION_FAILED');
  });

  it.each([
    ['7200s', 2],
    ['180m', 3],
    ['36h', 36],
    ['2w', 336],
    ['36500d', 876_000],
  ])('give a key that is good for %s, which is %i hours (section 6)', async (term, hours) => {
    const { organisationId } = await service.given.organisation();
    const words = ['api-key', 'issue', organisationId, '--expires-in', term];
    const { json } = await runJson(service.database, words);
    const { created_at, expires_at } = json as Issued;
    expect(Math.round((Date.parse(expires_at!) - Date.parse(created_at)) / 3_600_000)).toBe(hours);
  });

  it('give a key whose tokens end at the moment that was told (A1, A6)', async () => {
    const { organisationId } = await service.given.organisation();
    const words = ['api-key', 'issue', organisationId, '--expires-in', '600s'];
    const { json } = await runJson(service.database, words);
    const { key, expires_at } = json as Issued;
    const { payload, refreshExpiresIn } = await obtained(service, { apiKey: key });
    const toldAt = Date.parse(expires_at!) / 1_000;
    expect([payload.exp, refreshExpiresIn]).toEqual([toldAt, toldAt]);
  });

  it('take what stands behind -- for a name and not for an option (section 6)', async () => {
    const { exitCode, stdout } = await runCommand(service.database, [
      'organisation',
      'create',
      '--',
      '--json',
    ]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Created the organisation --json \([^\n]*\)\.\n$/) as string,
    });
  });

  it('show organisations to a person as a table (section 6)', async () => {
    const { organisationId } = await service.given.organisation();
    const { stdout } = await runCommand(service.database, ['organisation', 'list']);
    expect(stdout).toMatch(new RegExp(`^Organisation-[0-9a-f]{12} +${organisationId} *$`, 'm'));
  });

  it('refuse a name that is taken (section 6)', async () => {
    const { organisationId } = await service.given.organisation();
    const [row] = await service.database.sql<Organisation>('SELECT name FROM organisation WHERE id = $1', [
      organisationId,
    ]);
    await expect(failing('organisation', 'create', row!.name)).rejects.toMatchObject({
      code: 'organisation_exists',
    });
  });

  it('keep the first moment when a key is revoked again (A7)', async () => {
    const { organisationId } = await service.given.organisation();
    const { id } = await issueKey(service, organisationId);
    const keys = service.app.get(ApiKeysService, { strict: false });
    expect(await keys.revoke(id)).toEqual(await keys.revoke(id));
  });

  it.each([
    ['organisation_not_found', ['api-key', 'issue', 'nobody']],
    ['organisation_not_found', ['api-key', 'list', '0193a1b2-0000-7000-8000-000000000001']],
    ['api_key_not_found', ['api-key', 'revoke', 'no-id']],
    ['api_key_not_found', ['api-key', 'revoke', '0193a1b2-0000-7000-8000-000000000001']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--expires-in', '90']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--expires-in', '0d']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--expires-in', '101w1']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--expires-in', '36501d']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--expires-in', '1y']],
    ['commander.invalidArgument', ['api-key', 'issue', 'nobody', '--label', '']],
    ['commander.invalidArgument', ['organisation', 'create', ' ']],
    ['commander.invalidArgument', ['organisation', 'create', 'x'.repeat(129)]],
    ['commander.missingArgument', ['organisation', 'create']],
  ])('refuse as %s: %j (section 6)', async (code, words) => {
    await expect(failing(...words)).rejects.toMatchObject({ code });
  });
});
