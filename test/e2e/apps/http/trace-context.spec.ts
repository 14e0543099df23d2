import { randomBytes } from 'node:crypto';
import { EVERY_FIELD } from '../../../support/every-field.js';
import { memoryLog } from '../../../support/memory-log.js';
import { startFakeVendors, stripeError } from '../../../support/fake-vendors.js';
import { startService, unique, type Reply, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { StartingGate } from '../../../support/starting-gate.js';
import { waitUntil } from '../../../support/wait-until.js';

const log = memoryLog();
const gate = new StartingGate();

const vendors = setUp(startFakeVendors);
const service = setUp(() =>
  startService(
    { STRIPE_API_KEY: 'sk_test_only_the_tests_know', STRIPE_API_URL: vendors.url },
    { ...gate.parts, logger: log.logger },
  ),
);

const newTrace = (): string => randomBytes(16).toString('hex');
const traceparent = (traceId: string): string => `00-${traceId}-00f067aa0ba902b7-01`;

/** Send a POST with or without a `traceparent` header. */
function send(
  { token }: Pick<World, 'token'>,
  path: string,
  id: string,
  body: object,
  header?: string,
): Promise<Reply> {
  return service.post(path, token, body, {
    'x-request-id': id,
    ...(header !== undefined && { traceparent: header }),
  });
}

/** All log lines of a request, once there are at least `count`. */
async function linesOf(id: string, count = 1): Promise<Record<string, unknown>[]> {
  const lines = (): Record<string, unknown>[] => log.lines().filter(({ request_id }) => request_id === id);
  await waitUntil('the request is logged', () => lines().length >= count);
  return lines();
}

/** The trace ids in the records of an account, by request id. */
async function recorded(
  table: 'import_request' | 'import_refusal',
  { ref }: { ref: object },
): Promise<Record<string, string | null>> {
  const { external_account_number } = ref as { external_account_number: string };
  const rows = await service.database.sql<{ request_id: string; trace_id: string | null }>(
    `SELECT request_id, trace_id FROM ${table} WHERE external_account_number = $1`,
    [external_account_number],
  );
  return Object.fromEntries(
    rows.map(({ request_id, trace_id }) => [request_id, trace_id?.replaceAll('-', '') ?? null]),
  );
}

describe('the trace id of a request', () => {
  it('is in the log line and in the request’s record, on all four endpoints (T17)', async () => {
    const account = await service.given.importedAccount();
    const expected: Record<string, string> = {};
    for (const { path, one, payloadOf } of Object.values(EVERY_FIELD)) {
      const [id, traceId] = [unique('traced'), newTrace()];
      expected[id] = traceId;
      const reply = await send(
        account,
        path,
        id,
        { ...account.ref, ...payloadOf([one]) },
        traceparent(traceId),
      );
      expect(reply.status).toBe(201);
      expect(await linesOf(id)).toEqual([expect.objectContaining({ msg: 'answered', trace_id: traceId })]);
    }
    expect(await recorded('import_request', account)).toEqual(expected);
  });

  it('is that of each request, even if several share a query (T17)', async () => {
    const world = await service.given.supplier();
    const accounts = await Promise.all(
      Array.from({ length: 4 }, () => service.given.importedAccount({ world })),
    );
    // The third request has none.
    const traces = accounts.map((_, index) => (index === 2 ? undefined : newTrace()));
    gate.expect(accounts.length);
    const sent = accounts.map((account, index) =>
      send(
        account,
        'notes/create/',
        `together-${index}`,
        { ...account.ref, notes: [{ body: 'a' }] },
        traces[index] && traceparent(traces[index]),
      ),
    );
    for (const { status } of await Promise.all(sent)) expect(status).toBe(201);
    for (const [index, account] of accounts.entries()) {
      expect(await recorded('import_request', account)).toEqual({
        [`together-${index}`]: traces[index] ?? null,
      });
    }
  });

  it('is in the record of a refusal (T17)', async () => {
    const account = await service.given.importedAccount();
    const traceId = newTrace();
    const reply = await send(account, 'notes/create/', 'refused', { ...account.ref }, traceparent(traceId));
    expect(reply.status).toBe(400);
    await waitUntil(
      'the refusal is stored',
      async () => Object.keys(await recorded('import_refusal', account)).length === 1,
    );
    expect(await recorded('import_refusal', account)).toEqual({ refused: traceId });
  });

  it('is in every other line of the request, including GraphQL and a refusing vendor (T17)', async () => {
    const account = await service.given.importedAccount();
    const [reference, traceId] = [unique('pm').replace('-', '_'), newTrace()];
    vendors.script(reference, stripeError(401));
    const instruction = { ...account.ref, vendor: 'STRIPE', reference, type: 'CARD' };
    const path = 'payment-instruction/create/';
    expect((await send(account, path, 'vendor', instruction, traceparent(traceId))).status).toBe(400);
    const lines = await linesOf('vendor', 2);
    expect(lines.map(({ level, trace_id }) => [level, trace_id])).toEqual([
      ['error', traceId],
      ['info', traceId],
    ]);
    const query = { query: '{ viewer { importSuppliers { code } } }' };
    await send(account, '/v1/graphql/', 'graphql', query, traceparent(traceId));
    expect(await linesOf('graphql')).toEqual([expect.objectContaining({ trace_id: traceId })]);
  });

  it('is also read from a later version of the header (T17)', async () => {
    const account = await service.given.importedAccount();
    const traceId = newTrace();
    const header = `7f-${traceId}-00f067aa0ba902b7-01-and-more`;
    await send(account, 'notes/create/', 'later', { ...account.ref, notes: [{ body: 'a' }] }, header);
    expect(await recorded('import_request', account)).toEqual({ later: traceId });
  });

  it.each([
    ['zeros', traceparent('0'.repeat(32))],
    ['upper case', traceparent('A'.repeat(32))],
    ['a wrong length', traceparent('a'.repeat(31))],
    ['no traceparent at all', "'; DROP TABLE note; --"],
    ['two of them', `${traceparent('a'.repeat(32))}, ${traceparent('b'.repeat(32))}`],
    ['thousands of characters', `01-${'a'.repeat(32)}-00f067aa0ba902b7-01${'x'.repeat(8_000)}`],
  ])('is ignored, and the request served, with %s (T17)', async (_what, header) => {
    const account = await service.given.importedAccount();
    const id = unique('invalid');
    const body = { ...account.ref, notes: [{ body: 'a' }] };
    expect((await send(account, 'notes/create/', id, body, header)).status).toBe(201);
    expect(await recorded('import_request', account)).toEqual({ [id]: null });
    const [line] = await linesOf(id);
    expect(line).not.toHaveProperty('trace_id');
  });
});
