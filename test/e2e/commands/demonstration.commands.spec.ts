import { createDemonstration } from '../../../src/demonstration/demonstration.js';
import { runCommand, runJson } from '../../support/cli.js';
import { obtain, obtained } from '../../support/graphql.js';
import { startService, unique, type TestService } from '../../support/service.js';

describe('data-import demonstration remove', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(async () => {
    await service.stop();
  });

  const remove = (): Promise<{ exitCode: number | null; json: unknown; stderr: string }> =>
    runJson(service.database, ['demonstration', 'remove']);

  /** The key that a start prints. */
  async function demonstrationKey(): Promise<string> {
    const text = await createDemonstration(service.app, service.baseUrl);
    return /adi_live_[\w-]+/.exec(text ?? '')![0];
  }

  it('revokes every key and grant of the demonstration, and nothing of anybody else (section 6)', async () => {
    const apiKey = await demonstrationKey();
    const another = await runJson(service.database, ['api-key', 'issue', 'Demo Energy']);
    const { token } = await obtained(service, { apiKey });
    const others = await service.given.importedAccount();
    await runJson(service.database, ['supplier', 'grant', others.supplier, 'Demo Energy']);

    expect(await remove()).toMatchObject({ exitCode: 0, json: { keys_revoked: 2, grants_removed: 2 } });

    for (const key of [apiKey, (another.json as { key: string }).key]) {
      const refused = await obtain(service, { apiKey: key });
      expect(refused.body.errors![0]!.extensions.code).toBe('AUTHENTICATION_FAILED');
    }
    const status = await service.get('account-transfer-status/DEMO/1001/', token);
    expect([401, 404]).toContain(status.status);
    const { import_supplier, external_account_number } = others.ref;
    const kept = await service.get(
      `account-transfer-status/${import_supplier}/${external_account_number}/`,
      others.token,
    );
    expect(kept.status).toBe(200);
  });

  it('records each step once, and does nothing when it is repeated (O6, section 6)', async () => {
    await demonstrationKey();
    await remove();
    expect(await remove()).toMatchObject({ exitCode: 0, json: { keys_revoked: 0, grants_removed: 0 } });
    const recorded = await service.database.sql(
      `SELECT operator, action FROM audit_entry WHERE action LIKE '%revoke' ORDER BY action`,
    );
    expect(recorded).toEqual([
      { operator: 'test operator', action: 'api_key.revoke' },
      { operator: 'test operator', action: 'supplier.revoke' },
    ]);
  });

  it('keeps the next start from creating the demonstration again (section 6)', async () => {
    await demonstrationKey();
    await remove();
    expect(await createDemonstration(service.app, service.baseUrl)).toBeUndefined();
  });

  it('does nothing without a demonstration, whatever else is there (section 6)', async () => {
    await runJson(service.database, ['organisation', 'create', unique('Organisation')]);
    const { exitCode, stdout } = await runCommand(service.database, ['demonstration', 'remove']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'Revoked 0 keys, removed 0 grants.\n' });
  });
});
