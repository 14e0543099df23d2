import { describeOpenApi, validatorFor, type OpenApi, type Validate } from '../../../support/open-api.js';
import { startService, type Reply, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

describe('contract/openapi.json', () => {
  const service = setUp(startService);
  let document: OpenApi;
  let validate: Validate;

  beforeAll(async () => {
    document = await describeOpenApi();
    validate = validatorFor(document);
  });

  const paths = {
    notes: '/v1/data-import/notes/create/',
    transactions: '/v1/data-import/transactions/create/',
    statements: '/v1/data-import/historical-statements/create/',
    instruction: '/v1/data-import/payment-instruction/create/',
  };

  /** Expect that body and mandatory headers of an answer match the document for this address and status. */
  function expectDescribed(path: string, method: 'get' | 'post', { status, headers, body }: Reply): void {
    const response = document.paths[path]![method]!.responses[String(status)];
    if (!response) throw new Error(`${path} is not described to answer ${status}.`);
    const errors = validate(response.content['application/json'].schema, body);
    expect({ path, status, errors }).toEqual({ path, status, errors: [] });
    for (const name of Object.keys(response.headers)) {
      if (document.components.headers[name]!.required) expect(headers.get(name)).not.toBeNull();
    }
  }

  const post = async (path: string, token: string, payload: unknown, query = ''): Promise<Reply> => {
    const reply = await service.post(path + query, token, payload);
    expectDescribed(path, 'post', reply);
    return reply;
  };

  it('describes the refusals that all operations share (T2, T4)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    for (const path of Object.values(paths)) {
      expect((await post(path, token, { odd: null })).status).toBe(400);
      expect((await post(path, 'nobody', {})).status).toBe(401);
    }
    expect((await post(paths.notes, token, { ...ref, notes: [{ body: 'b' }] })).status).toBe(404);
    const status = '/v1/data-import/account-transfer-status/{import_supplier}/{external_account_number}/';
    for (const [number, code] of [
      ['nobody', 'account_not_found'],
      ['%FF', 'not_found'],
      ['n'.repeat(1_537), 'not_found'],
      ['n'.repeat(1_536), 'validation_error'],
    ] as const) {
      const reply = await service.get(`account-transfer-status/${ref.import_supplier}/${number}/`, token);
      expect(reply.body).toMatchObject({ code });
      expectDescribed(status, 'get', reply);
      expect(document.paths[status]!.get!.responses[reply.status]!.description).toContain(`\`${code}\``);
    }
  });

  it('names the initial values of the catalogues, and leaves all of them open (X3)', async () => {
    const { CreatePaymentInstruction: instruction, Transaction: transaction } = document.components
      .schemas as Record<string, { properties: Record<string, { description: string; enum?: string[] }> }>;
    const fields = {
      reason: transaction!.properties.reason!,
      payment_type: transaction!.properties.payment_type!,
      vendor: instruction!.properties.vendor!,
      instruction_type: instruction!.properties.type!,
    };
    const named = Object.entries(fields).flatMap(([field, { description }]) => {
      const values = description.slice(description.indexOf('Allowed are')).matchAll(/`(\w+)`/g);
      return [...values].map(([, value]) => ({ field, value }));
    });
    const allowed = await service.database.sql('SELECT field, value FROM catalogue_value');
    expect(named).toHaveLength(allowed.length);
    expect(named).toEqual(expect.arrayContaining(allowed));
    expect(Object.values(fields).filter(({ enum: closed }) => closed !== undefined)).toEqual([]);
  });

  it('has valid examples: each is accepted, and answered as shown', async () => {
    const owner = await service.given.supplier();
    await service.database.sql(`UPDATE import_supplier SET code = 'ACME' WHERE code = $1`, [owner.supplier]);
    const world: World = { ...owner, supplier: 'ACME' };
    const period = { from: '2026-11-01', to: '2026-11-30' };
    const { serviceAccountNumber } = await service.given.importedAccount({
      ...period,
      number: '1001',
      world,
    });
    await service.database.sql(
      `UPDATE account_import SET account_created_at = '2026-11-01T06:00:00Z' WHERE external_account_number = '1001'`,
    );
    await service.given.stagedAccount(world, '1002');
    const ofExamples = /A-[0-9A-F]{8}/g;
    for (const [path, { get, post: create }] of Object.entries(document.paths)) {
      const { requestBody, responses } = (create ?? get)!;
      const address = path.replace('{import_supplier}', 'ACME').replace('{external_account_number}', '1001');
      const reply = requestBody
        ? await post(address, world.token, requestBody.content['application/json'].example)
        : await service.get(address, world.token);
      if (get) expectDescribed(path, 'get', reply);
      const { example } = (responses['201'] ?? responses['200'])!.content['application/json'];
      const expected: unknown = JSON.parse(
        JSON.stringify(example).replaceAll(ofExamples, serviceAccountNumber),
      );
      expect({ path, body: reply.body }).toEqual({ path, body: expected });
    }
  });
});
