import type { RefusedItems } from '../../../../src/capabilities/request-log/requests/refused-items.types.js';
import { createDatabase } from '../../../support/database.js';
import { EVERY_FIELD } from '../../../support/every-field.js';
import { startService, type TestService, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

/** A request with every field, for each endpoint; the account comes in addition. */
const REQUESTS = Object.fromEntries(
  Object.values(EVERY_FIELD).map(({ path, one, payloadOf }) => [path, payloadOf([one])]),
);

/** The only fields whose refused values are kept. */
const KEPT = ['payment_type', 'reason', 'type', 'unit_type', 'vendor'];

const SECRET = 'Ann of Elm Street 7';

/** Values that no field, or only a few, would accept. */
const WRONG: readonly unknown[] = [
  SECRET,
  ...[`${SECRET} ${'x'.repeat(60_000)}`, `../${SECRET}`, `${SECRET}\0`, `${SECRET}\ud800`],
  ...[[SECRET], [[SECRET]], { name: SECRET }],
];

/** The paths of all scalar values of a request. */
function leavesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function withValue(request: object, path: readonly string[], value: unknown): object {
  const changed = structuredClone(request);
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (object, name) => object[name] as Record<string, unknown>,
      changed as Record<string, unknown>,
    );
  parent[path.at(-1)!] = value;
  return changed;
}

describe('the record of refused import requests', () => {
  const database = setUp(createDatabase);
  let service: TestService;
  beforeAll(async () => {
    service = await startService({}, { database });
  });

  const recordedOf = <Row extends object>({ supplier }: World, columns: string): Promise<Row[]> =>
    database.sql<Row>(
      `SELECT ${columns} FROM import_refusal r JOIN import_supplier s ON s.id = r.import_supplier_id
        WHERE s.code = $1 ORDER BY r.at, r.id`,
      [supplier],
    );

  it('has the ids of their items, and the values that may be kept (C9, O6)', async () => {
    const world = await service.given.importedAccount();
    const transactions = ['A', 'B'].map((id) => ({
      ...{ transaction_id: id, transaction_date: '2026-02-01', amount: 1, type: 'CHARGE' },
    }));
    const [first, second] = transactions;
    const post = async (body: object, path = 'transactions/create/'): Promise<number> =>
      (await service.post(path, world.token, { ...world.ref, ...body })).status;
    expect(await post({ transactions: [first, { ...second, type: 'CHARG', amount: '1,5' }] })).toBe(400);
    expect(await post({ transactions, external_account_number: 'unknown' })).toBe(404);
    expect(await post({ vendor: 'BANK', reference: 'ok', type: 'CARD' }, 'payment-instruction/create/')).toBe(
      400,
    );
    let rows: { items: RefusedItems | null }[] = [];
    await waitUntil('they are stored', async () => {
      rows = await recordedOf<(typeof rows)[number]>(world, 'r.items');
      return rows.length === 3;
    });
    expect(rows.map(({ items }) => items)).toEqual([
      {
        at_fault: [
          {
            ...{ at: 'transactions.1', id: 'B' },
            errors: expect.arrayContaining([
              { attr: 'amount', code: 'invalid', value: '1,5' },
              { attr: 'type', code: 'invalid_choice', value: 'CHARG' },
            ]) as object,
          },
        ],
        others: ['A'],
      },
      { others: ['A', 'B'] },
      {
        at_fault: [{ at: '', errors: [{ attr: 'vendor', code: 'invalid_choice', value: 'BANK' }] }],
      },
    ]);
  });

  it('keeps the refused values of five fields, and no sent value of any other field (C9, O6)', async () => {
    const world = await service.given.importedAccount();
    const refused = new Set<string>();
    const fields = new Set<string>();
    for (const [path, request] of Object.entries(REQUESTS)) {
      for (const leaf of leavesOf(request)) {
        fields.add(`${path} ${leaf.join('.')}`);
        for (const wrong of WRONG) {
          const body = { ...world.ref, ...withValue(request, leaf, wrong) };
          const { status, body: answer } = await service.post(`${path}?dry_run=true`, world.token, body);
          if (status === 400) refused.add(`${path} ${leaf.join('.')}`);
          expect(JSON.stringify(answer)).not.toContain('"value"');
        }
      }
    }
    expect([...refused]).toEqual([...fields]);
    await service.stop();
    const rows = await recordedOf<{
      attr: string;
      value: string | null;
      items: RefusedItems | null;
      rest: string;
    }>(world, `r.attr, r.value, r.items, (to_jsonb(r) - '{value,items}'::text[])::text AS rest`);
    const fieldsOfItems = rows.flatMap(({ items }) => items?.at_fault ?? []).flatMap(({ errors }) => errors);
    const valuesOfItems = fieldsOfItems.filter(({ value }) => value !== undefined);
    expect([...new Set(valuesOfItems.map(({ attr }) => attr.split('.').at(-1)!))].sort()).toEqual(KEPT);
    expect(JSON.stringify(rows.map(({ items }) => items)).replaceAll(/"value":"[^"]*"/g, '')).not.toContain(
      'Elm',
    );
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter(({ rest }) => rest.includes('Elm Street'))).toEqual([]);
    const kept = rows.filter(({ value }) => value !== null);
    expect([...new Set(kept.map(({ attr }) => attr.split('.').at(-1)!))].sort()).toEqual(KEPT);
    expect([...new Set(kept.map(({ value }) => value))].sort()).toEqual(
      [SECRET, `../${SECRET}`, `${SECRET}\uFFFD`, `${SECRET} ${'x'.repeat(127 - SECRET.length)}`].sort(),
    );
  });
});
