import {
  DemonstrationSetupService,
  type Demonstration,
} from '../../../../src/capabilities/demonstration/demonstration-setup.service.js';
import { runCommand, runJson, startCommand } from '../../../support/cli.js';
import { obtain, obtained } from '../../../support/graphql.js';
import { startService, unique, type TestService } from '../../../support/service.js';

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

  const create = (): Promise<Demonstration | undefined> =>
    service.app.get(DemonstrationSetupService, { strict: false }).create();

  /** The key that a start prints. */
  async function demonstrationKey(): Promise<string> {
    return (await create())!.issued!.key;
  }

  it('removes keys, grants, accounts and rows of the demonstration, and nothing else (section 6, S10)', async () => {
    const apiKey = await demonstrationKey();
    const another = await runJson(service.database, ['api-key', 'issue', 'Demo Energy']);
    const { token } = await obtained(service, { apiKey });
    const others = await service.given.importedAccount();
    await runJson(service.database, ['supplier', 'grant', others.supplier, 'Demo Energy']);
    const ref = { import_supplier: 'DEMO', external_account_number: '1001' };
    const stored = await service.post('notes/create/', token, { ...ref, notes: [{ body: 'Called' }] });
    expect(stored.status).toBe(201);

    expect(await remove()).toEqual({
      exitCode: 0,
      stderr: '',
      json: { keys_revoked: 2, grants_removed: 2, accounts_erased: 5 },
    });

    for (const key of [apiKey, (another.json as { key: string }).key]) {
      const refused = await obtain(service, { apiKey: key });
      expect(refused.body.errors![0]!.extensions.code).toBe('AUTHENTICATION_FAILED');
    }
    const status = await service.get('account-transfer-status/DEMO/1001/', token);
    expect([401, 404]).toContain(status.status);
    const rows = await service.database.sql(
      `SELECT (SELECT count(*) FROM note)::integer AS notes,
              (SELECT count(*) FROM import_request)::integer AS requests,
              (SELECT jsonb_agg(external_account_number) FROM account_import) AS accounts`,
    );
    expect(rows).toEqual([{ notes: 0, requests: 0, accounts: [others.ref.external_account_number] }]);
    const { import_supplier, external_account_number } = others.ref;
    const kept = await service.get(
      `account-transfer-status/${import_supplier}/${external_account_number}/`,
      others.token,
    );
    expect(kept.status).toBe(200);
  });

  it('records each step once, does nothing when it is repeated, and keeps the next start from creating it again (O6, section 6)', async () => {
    await demonstrationKey();
    await remove();
    expect(await remove()).toMatchObject({
      exitCode: 0,
      json: { keys_revoked: 0, grants_removed: 0, accounts_erased: 0 },
    });
    const recorded = await service.database.sql<{ action: string }>(
      `SELECT action FROM audit_entry WHERE operator = 'test operator' ORDER BY at, id`,
    );
    const actions = recorded.map(({ action }) => action);
    expect(actions).toEqual(['api_key.revoke', 'supplier.revoke', 'supplier.erase', 'supplier.erase']);
    expect(await create()).toBeUndefined();
  });

  it('does nothing without a demonstration, whatever else exists (section 6)', async () => {
    await runJson(service.database, ['organisation', 'create', unique('Organisation')]);
    const { exitCode, stdout } = await runCommand(service.database, ['demonstration', 'remove']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Revoked 0 keys, removed 0 grants, erased 0 accounts.\n',
    });
  });

  it('leaves the accounts of DEMO while another organisation uses it (section 6)', async () => {
    await demonstrationKey();
    const name = unique('Organisation');
    await runJson(service.database, ['organisation', 'create', name]);
    await runJson(service.database, ['supplier', 'grant', 'DEMO', name]);
    expect(await remove()).toEqual({
      exitCode: 0,
      stderr: `The accounts of the supplier stay, because it is also granted to ${name}.\n`,
      json: { keys_revoked: 1, grants_removed: 1, accounts_erased: 0 },
    });
    await runJson(service.database, ['supplier', 'revoke', 'DEMO', name]);
    expect(await remove()).toMatchObject({ json: { accounts_erased: 5 } });
  });

  it('leaves a supplier DEMO that an operator has created (section 6)', async () => {
    await runJson(service.database, ['supplier', 'create', 'DEMO', '--name', 'Ours']);
    const staged = '{"external_account_number":"1"}';
    await runJson(service.database, ['accounts', 'stage', 'DEMO', '-'], staged);
    expect(await remove()).toMatchObject({ exitCode: 0, json: { accounts_erased: 0 } });
    expect(await service.database.sql('SELECT FROM account_import')).toHaveLength(1);
  });

  it('can be interrupted and repeated (section 6)', async () => {
    await demonstrationKey();
    const unlock = await service.database.lock('account_import');
    const command = startCommand(service.database, ['demonstration', 'remove', '--json']);
    await service.database.blocked(1);
    command.signal('SIGINT');
    await unlock();
    const { exitCode, stderr } = await command.ended;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'Interrupted: run the command again to erase the remaining rows.\n',
    });
    expect(await remove()).toMatchObject({ exitCode: 0, stderr: '', json: { accounts_erased: 5 } });
  });
});
