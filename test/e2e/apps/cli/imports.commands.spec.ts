import { randomUUID } from 'node:crypto';
import { cellsOf, runCommand, runJson, refusedWith } from '../../../support/cli.js';
import { startService, unique, type World } from '../../../support/service.js';
import { setUp, standIn } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { nameOf } from '../../../support/suppliers.js';

const REASON = ['--reason', 'wrong file'];
const NOTHING = { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 };
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;

interface Listed {
  readonly request_id: string;
  readonly at: string;
  readonly undone_at: string | null;
}

const service = setUp(startService);
const database = standIn(() => service.database);

/** A supplier with the imported accounts `1` and `2`. */
async function world(): Promise<World> {
  const created = await service.given.supplier();
  await service.given.importedAccounts(created, ['1', '2']);
  return created;
}

/** Send an import request under an id. */
async function post(
  { supplier, token }: World,
  path: string,
  requestId: string,
  payload: object,
  number = '1',
): Promise<number> {
  const reply = await service.post(
    path,
    token,
    { import_supplier: supplier, external_account_number: number, ...payload },
    { 'x-request-id': requestId },
  );
  return reply.status;
}

const command = (...args: string[]): ReturnType<typeof runJson> => runJson(database, ['imports', ...args]);
const setStatus = async ({ supplier }: World, status: string): Promise<void> => {
  await database.sql('UPDATE import_supplier SET status = $2 WHERE code = $1', [supplier, status]);
};
/** The sender of requests as the command names it. */
const senderOf = async (of: World): Promise<string> =>
  `${await nameOf(database, of)}, key test (${of.apiKeyId})`;
/** Undo while the supplier is paused. */
async function undo(of: World, ...args: string[]): ReturnType<typeof runJson> {
  await setStatus(of, 'paused');
  const end = await command('undo', of.supplier, ...args, ...REASON);
  await setStatus(of, 'ongoing');
  return end;
}

/** Every row of the supplier's accounts, without some columns. */
async function rowsOf({ supplier }: World, ...without: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of ['note', 'transaction', 'statement', 'payment_instruction']) {
    const rows = await database.sql<{ row: string }>(
      `SELECT '${table} ' || (to_jsonb(t) - $2::text[])::text AS row
         FROM ${table} t JOIN import_supplier s ON s.id = t.import_supplier_id
        WHERE s.code = $1 ORDER BY 1`,
      [supplier, without],
    );
    // A pinned note has the id of its request in its text.
    const replaced = without.length > 0 ? /Import request [0-9a-f-]{36}/g : /$^/g;
    found.push(...rows.map(({ row }) => row.replaceAll(replaced, 'Import request')));
  }
  return found;
}

const transaction = (id: string, day = '2026-01-15'): object => ({
  ...{ transaction_id: id, transaction_date: day, amount: 1.25, type: 'CHARGE' },
});
const statement = (id: string, issued_date?: string): object => ({
  ...{ statement_id: id, bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
  ...(issued_date !== undefined && { issued_date }),
});
const instruction = (reference: string, type = 'CARD'): object => ({ vendor: 'SANDBOX', reference, type });

const POSTS = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  instruction: 'payment-instruction/create/',
};

describe('data-import imports undo', () => {
  const before = { notes: [{ body: 'kept' }] };

  it.each<[string, string, object, object, object]>([
    [
      'notes',
      POSTS.notes,
      { notes: [{ body: 'kept' }, { body: 'new' }, { body: 'dated', created_at: '2026-01-01T00:00:00Z' }] },
      { notes: 2 },
      { notes: [{ body: 'new', is_pinned: true }] },
    ],
    [
      'transactions, with the note that was pinned for a moved one',
      POSTS.transactions,
      { transactions: [transaction('kept'), transaction('a'), transaction('moved', '2025-01-15')] },
      { notes: 1, transactions: 2 },
      { transactions: [transaction('a', '2026-01-20')] },
    ],
    [
      'transactions that were added without a check',
      `${POSTS.transactions}?check_previously_added=false`,
      { transactions: [transaction('kept'), transaction('a')] },
      { transactions: 2 },
      { transactions: [transaction('a', '2026-01-20')] },
    ],
    [
      'statements',
      POSTS.statements,
      { statements: [statement('kept'), statement('a'), statement('b')] },
      { statements: 2 },
      { statements: [statement('a', '2025-02-01')] },
    ],
    [
      'a payment instruction',
      POSTS.instruction,
      instruction('ok_1'),
      { payment_instructions: 1 },
      instruction('ok_1', 'DIRECT_DEBIT'),
    ],
  ])(
    'removes exactly the rows that one request has stored, so that the same or other content can be sent: %s (V7)',
    async (_what, path, payload, rows, other) => {
      const of = await world();
      await post(of, POSTS.notes, 'kept', before);
      await post(of, POSTS.transactions, 'kept', { transactions: [transaction('kept')] });
      await post(of, POSTS.statements, 'kept', { statements: [statement('kept')] });
      await post(of, POSTS.instruction, 'kept', instruction('ok_kept'));
      expect(await post(of, path, 'same', payload, '2')).toBe(201);
      const kept = await rowsOf(of);
      expect(await post(of, path, 'wrong', payload)).toBe(201);
      const changing = [
        'content_hash',
        'key_time',
        'import_request_id',
        'created_at',
        'verified_at',
        'occurrence',
      ];
      const loaded = await rowsOf(of, ...changing);

      const first = await undo(of, 'wrong');
      expect(first).toEqual({
        exitCode: 0,
        json: { requests: 1, rows: { ...NOTHING, ...rows } },
        stderr: '',
      });
      expect(await rowsOf(of)).toEqual(kept);
      expect(await undo(of, 'wrong')).toMatchObject({ exitCode: 0, json: { requests: 0, rows: NOTHING } });

      expect(await post(of, path, 'right', payload)).toBe(201);
      expect(await rowsOf(of, ...changing)).toEqual(loaded);
      await undo(of, 'right');
      expect(await post(of, path, 'other', other)).toBe(201);
      expect(await undo(of, 'other')).toMatchObject({ json: { requests: 1 } });
      expect(await rowsOf(of)).toEqual(kept);
      expect(await command('list', of.supplier, '--request-prefix', 'kept')).toMatchObject({
        json: [1, 2, 3, 4].map(() => ({ undone_at: null })),
      });
      const check = await runJson(database, ['totals', 'check', of.supplier]);
      expect(check).toMatchObject({ exitCode: 0 });
    },
  );

  it('removes rows that a later request reported as existing, and says how to restore them (V7)', async () => {
    const of = await world();
    const further = { body: 'same', created_at: '2020-01-01T00:00:00Z' };
    await post(of, POSTS.notes, 'first', { notes: [{ body: 'same' }] });
    await post(of, POSTS.notes, 'later', { notes: [{ body: 'same' }] });
    await post(of, POSTS.notes, 'further', {
      notes: [further, { ...further, created_at: '2021-01-01T00:00:00Z' }],
    });
    await setStatus(of, 'paused');
    const end = await runCommand(database, ['imports', 'undo', of.supplier, 'first', ...REASON]);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(end.stdout).toContain('Undone: import requests 1; removed: notes 1, transactions 0');
    expect(end.stdout).toMatch(/load FOLDER".*\n.*verify/);
    expect(await rowsOf(of)).toHaveLength(2);
    await setStatus(of, 'ongoing');
    // Notes of the same content are the same as before.
    for (const one of [further, { body: 'same' }]) await post(of, POSTS.notes, 'again', { notes: [one] });
    expect(await rowsOf(of)).toHaveLength(2);
  });

  it('needs a paused supplier, and an id that has stored something (V7)', async () => {
    const of = await world();
    await post(of, POSTS.notes, 'one', before);
    for (const status of ['ongoing', 'complete']) {
      await setStatus(of, status);
      const error = {
        code: 'import_supplier_not_paused',
        detail: `The import supplier ${of.supplier} is ${status}; pause it with "data-import supplier set ${of.supplier} --status paused".`,
      };
      expect(await command('undo', of.supplier, 'one', ...REASON)).toMatchObject({
        exitCode: 1,
        json: { error },
      });
    }
    await setStatus(of, 'paused');
    const unknown = await command('undo', of.supplier, 'on', ...REASON);
    expect(unknown).toMatchObject(refusedWith('import_request_not_found'));
    const other = await command('undo', unique('none'), 'one', ...REASON);
    expect(other).toMatchObject(refusedWith('supplier_not_found'));
    expect(await rowsOf(of)).toHaveLength(1);
  });

  it.each([
    [['--account', '1']],
    [['one', '--account', '1', '--yes']],
    [['--yes']],
    [['one', '--reason', ' ']],
    [['--kind', 'note', '--yes']],
    [['--api-key', 'x', '--yes']],
    [['--since', 'yesterday', '--yes']],
    [['--request-prefix', '', '--yes']],
    [['twice']],
  ])('refuses %j as wrong usage (V7)', async (args) => {
    const of = await world();
    for (const number of ['1', '2']) await post(of, POSTS.notes, 'twice', before, number);
    await setStatus(of, 'paused');
    const reason = args.includes('--reason') ? [] : REASON;
    const end = await command('undo', of.supplier, ...args, ...reason);
    expect(end).toMatchObject(refusedWith('wrong_usage'));
    expect(await rowsOf(of)).toHaveLength(2);
  });

  it('shows before confirmation how much it would remove, and then undoes all requests with one id (V7)', async () => {
    const of = await world();
    await post(of, POSTS.notes, 'twice', { notes: [{ body: 'a' }, { body: 'b' }] }, '1');
    await post(of, POSTS.transactions, 'twice', { transactions: [transaction('a', '2025-01-01')] }, '2');
    const about = `this undoes 2 import requests of ${of.supplier}, which have stored 4 rows (${await senderOf(of)}: 2 requests, 4 rows); `;
    const pause = `pause the supplier with "data-import supplier set ${of.supplier} --status paused", and `;
    const asked = async (needs: string, ...args: string[]): Promise<void> => {
      const end = await command('undo', of.supplier, ...args);
      expect(end).toMatchObject(refusedWith('wrong_usage', `${about}${needs}`));
    };
    // One answer says everything that is missing.
    for (const chosen of [['--request-prefix', 'tw'], ['twice']]) {
      await asked(`${pause}add --reason TEXT and --yes to confirm it`, ...chosen);
      await asked(`${pause}add --yes to confirm it`, ...chosen, ...REASON);
      await asked(`${pause}add --reason TEXT`, ...chosen, '--yes');
    }
    await setStatus(of, 'paused');
    await asked('add --yes to confirm it', 'twice', ...REASON);
    expect(await undo(of, 'twice', '--yes')).toMatchObject({
      exitCode: 0,
      json: { requests: 2, rows: { ...NOTHING, notes: 3, transactions: 1 } },
    });
    expect(await rowsOf(of)).toEqual([]);
  });

  it.each([[['--request-prefix', 'RUN-']], [['RUN-1']]])(
    'undoes requests of several organisations with %j only when one is named (V7, A8)',
    async (chosen) => {
      const of = await world();
      const other = { ...of, ...(await service.given.organisation()) };
      await service.given.grant(of.supplier, other.organisationId);
      await post(of, POSTS.notes, 'RUN-1', { notes: [{ body: 'own' }] });
      await post(other, POSTS.notes, 'RUN-1', { notes: [{ body: 'a' }, { body: 'b' }] }, '2');
      const senders = `${await senderOf(other)}: 1 requests, 2 rows; ${await senderOf(of)}: 1 requests, 1 rows`;
      for (const yes of [[], ['--yes']]) {
        const refused = await undo(of, ...chosen, ...yes);
        expect(refused).toMatchObject(refusedWith('several_organisations'));
        const { error } = refused.json as { error: { detail: string } };
        for (const sender of senders.split('; ')) expect(error.detail).toContain(sender);
      }
      expect(await rowsOf(of)).toHaveLength(3);
      const unknown = await undo(of, ...chosen, '--organisation', unique('none'), '--yes');
      expect(unknown).toMatchObject(refusedWith('organisation_not_found'));
      const own = await undo(of, ...chosen, '--organisation', await nameOf(database, of), '--yes');
      expect(own).toMatchObject({ exitCode: 0, json: { requests: 1, rows: { ...NOTHING, notes: 1 } } });
      expect(await rowsOf(of)).toHaveLength(2);
      // Undone requests no longer count.
      expect(await undo(of, ...chosen, '--yes')).toMatchObject({ exitCode: 0, json: { requests: 1 } });
      expect(await rowsOf(of)).toEqual([]);
    },
  );

  it('records operator, reason, filters and counts, with the first batch and at the end (O6, V7)', async () => {
    const of = await world();
    await post(of, POSTS.notes, 'RUN-1', before);
    await post(of, POSTS.notes, 'RUN-2', before, '2');
    await undo(of, '--request-prefix', 'RUN-', '--kind', 'notes', '--yes');
    await undo(of, '--account', '1', '--yes');
    await post(of, POSTS.notes, 'RUN-3', before);
    await undo(of, '--account', '1', '--until', '2999-01-01T00:00:00Z', '--yes');
    const { json } = await runJson(database, ['audit', 'list', '--supplier', of.supplier]);
    const run = expect.any(String) as string;
    const details = { run, reason: 'wrong file' };
    const ended = { event: 'ended', outcome: 'complete', duration_ms: expect.any(Number) as number };
    const counts = { ...NOTHING, notes: 1, requests: 1 };
    const entry = { at: MOMENT, operator: 'test operator', import_supplier: of.supplier };
    const [ofAccount, ofSupplier] = [
      { ...entry, action: 'account.undo_imports', subject: '1' },
      { ...entry, action: 'supplier.undo_imports', subject: of.supplier },
    ];
    const filters = [{ until: '2999-01-01T00:00:00Z' }, { request_prefix: 'RUN-', kind: 'notes' }] as const;
    const undos = (json as { action: string }[]).filter(({ action }) => action.endsWith('.undo_imports'));
    expect(undos).toEqual([
      {
        ...ofAccount,
        details: { ...details, ...ended, filter: filters[0], ...counts },
      },
      { ...ofAccount, details: { ...details, event: 'started', filter: filters[0] } },
      {
        ...ofSupplier,
        details: {
          ...{ ...details, ...ended, filter: filters[1] },
          ...{ ...counts, requests: 2, notes: 2 },
        },
      },
      { ...ofSupplier, details: { ...details, event: 'started', filter: filters[1] } },
    ]);
    const history = await runJson(database, ['accounts', 'history', of.supplier, '1']);
    const events = history.json as {
      event: string;
      request_id?: string;
      undone_at?: string;
      action?: string;
    }[];
    expect(events.filter(({ event }) => event === 'import_request')).toMatchObject([
      { request_id: 'RUN-1', undone_at: MOMENT, counts: { notes: 1 } },
      { request_id: 'RUN-3', undone_at: MOMENT, counts: { notes: 1 } },
    ]);
    expect(events.filter(({ action }) => action === 'account.undo_imports')).toHaveLength(2);
  });
});

describe('data-import imports list', () => {
  const list = async (of: World, ...args: string[]): Promise<Listed[]> => {
    const { exitCode, json } = await command('list', of.supplier, ...args);
    expect(exitCode).toBe(0);
    return json as Listed[];
  };

  it('lists requests that stored something, newest first, with their counts and when they were undone (V7)', async () => {
    const of = await world();
    expect(await list(of)).toEqual([]);
    await post(of, POSTS.transactions, 'one', {
      transactions: [transaction('a'), transaction('b', '2025-01-01')],
    });
    await post(of, POSTS.notes, 'two', { notes: [{ body: 'a' }] }, '2');
    await post(of, POSTS.notes, 'again', { notes: [{ body: 'a' }] }, '2');
    await undo(of, 'two');
    const request = { at: MOMENT, api_key_id: of.apiKeyId };
    expect(await list(of)).toEqual([
      {
        ...{ ...request, request_id: 'two', kind: 'notes', external_account_number: '2' },
        ...{ counts: { ...NOTHING, notes: 1 }, undone_at: MOMENT },
      },
      {
        ...{ ...request, request_id: 'one', kind: 'transactions', external_account_number: '1' },
        ...{ counts: { ...NOTHING, notes: 1, transactions: 2 }, undone_at: null },
      },
    ]);
    const text = await runCommand(database, ['imports', 'list', of.supplier, '--requests']);
    expect(text.stdout).toMatch(
      /^Time +Request +Account +Stored +Undone +Key\n\S+Z {2}two +2 +notes 1 +\S+Z {2}test \(\S+\)\n\S+Z {2}one +1 +notes 1, transactions 2 +test \(\S+\)\n$/,
    );
    const none = await runCommand(database, ['imports', 'list', of.supplier, '--account', 'x']);
    expect(none.stdout).toBe('No import request was found.\n');
  });

  it('filters by account, time, key, kind and the beginning of the id, alone and combined (V7)', async () => {
    const of = await world();
    const other = await service.given.organisation();
    await service.given.grant(of.supplier, other.organisationId);
    const sent: [string, string, string, object][] = [
      ['R-1', '1', POSTS.notes, { notes: [{ body: 'a' }] }],
      ['R-10', '2', POSTS.notes, { notes: [{ body: 'a' }] }],
      ['R_1', '1', POSTS.statements, { statements: [statement('a')] }],
      ['S-1', '2', POSTS.statements, { statements: [statement('a')] }],
    ];
    for (const [id, number, path, payload] of sent) await post(of, path, id, payload, number);
    await post({ ...of, token: other.token }, POSTS.notes, 'R-2', { notes: [{ body: 'b' }] });
    for (const [index, id] of ['R-1', 'R-10', 'R_1', 'S-1', 'R-2'].entries()) {
      await database.sql(
        `UPDATE import_request r SET stored_at = $3
           FROM import_supplier s WHERE s.id = r.import_supplier_id AND s.code = $1 AND r.request_id = $2`,
        [of.supplier, id, `2026-01-0${index + 1}T00:00:00Z`],
      );
    }
    const ids = async (...args: string[]): Promise<string[]> =>
      (await list(of, ...args)).map(({ request_id }) => request_id);
    expect(await ids()).toEqual(['R-2', 'S-1', 'R_1', 'R-10', 'R-1']);
    expect(await ids('--account', '1')).toEqual(['R-2', 'R_1', 'R-1']);
    expect(await ids('--since', '2026-01-02T00:00:00Z', '--until', '2026-01-04T00:00:00Z')).toEqual([
      'R_1',
      'R-10',
    ]);
    expect(await ids('--api-key', other.apiKeyId)).toEqual(['R-2']);
    expect(await ids('--kind', 'statements')).toEqual(['S-1', 'R_1']);
    expect(await ids('--request-prefix', 'R-1')).toEqual(['R-10', 'R-1']);
    expect(await ids('--request-prefix', 'R_')).toEqual(['R_1']);
    expect(await ids('--account', '1', '--request-prefix', 'R-')).toEqual(['R-2', 'R-1']);
    expect(await ids('--request-prefix', 'R', '--kind', 'notes', '--until', '2026-01-05T00:00:00Z')).toEqual([
      'R-10',
      'R-1',
    ]);
    expect(await ids('--account', '2', '--kind', 'notes', '--since', '2026-01-03T00:00:00Z')).toEqual([]);
    expect(await ids('--organisation', other.organisationId)).toEqual(['R-2']);
    expect(await ids('--organisation', of.organisationId, '--request-prefix', 'R-')).toEqual(['R-10', 'R-1']);
    // The same filters select the requests to undo.
    const later = ['--request-prefix', 'R-', '--since', '2026-01-02T00:00:00Z', '--yes'];
    const undone = await undo(of, ...later, '--organisation', of.organisationId);
    expect(undone).toMatchObject({ json: { requests: 1 } });
    const left = (await list(of)).filter(({ undone_at }) => undone_at === null);
    expect(left.map(({ request_id }) => request_id)).toEqual(['R-2', 'S-1', 'R_1', 'R-1']);
  });

  it('lists the runs of the loader, one a line, and what belongs to none of them (V7, L13)', async () => {
    const of = await world();
    const other = { ...of, ...(await service.given.organisation()) };
    await service.given.grant(of.supplier, other.organisationId);
    const [own, others] = [await nameOf(database, of), await nameOf(database, other)];
    const refusedPayload = { transactions: [{ transaction_id: 'x' }] };
    await post(of, POSTS.notes, 'abc2-1', { notes: [{ body: 'a' }] });
    await post(of, POSTS.transactions, 'abc2-2', { transactions: [transaction('a'), transaction('b')] }, '2');
    expect(await post(of, POSTS.transactions, 'abc2-3', refusedPayload)).toBe(400);
    expect(await post(of, `${POSTS.transactions}?dry_run=true`, 'abc2-4', refusedPayload)).toBe(400);
    await post(of, POSTS.notes, 'no-run-1', { notes: [{ body: 'b' }] });
    await post(of, POSTS.notes, randomUUID(), { notes: [{ body: 'c' }] });
    await post(other, POSTS.notes, 'abc2-1', { notes: [{ body: 'd' }] });
    await undo(of, 'abc2-2');
    // They are stored in the background.
    const refusals = `SELECT FROM import_refusal f JOIN import_supplier s ON s.id = f.import_supplier_id WHERE s.code = $1`;
    await waitUntil('the refusals are stored', async () => {
      return (await database.sql(refusals, [of.supplier])).length === 2;
    });
    const run = { first_at: MOMENT, last_at: MOMENT, refused: 0, undone: 0 };
    const notes = (count: number): object => ({ requests: count, rows: { ...NOTHING, notes: count } });
    const runs = async (...args: string[]): Promise<unknown> =>
      (await command('list', of.supplier, '--runs', ...args)).json;
    const abc2 = {
      ...{ ...run, run: 'abc2', organisation: own, requests: 2, refused: 1, undone: 1 },
      rows: { ...NOTHING, notes: 1, transactions: 2 },
    };
    expect(await runs()).toEqual([
      { ...run, run: 'abc2', organisation: others, ...notes(1) },
      { ...run, run: null, organisation: own, ...notes(2) },
      abc2,
    ]);
    expect(await runs('--organisation', own, '--request-prefix', 'abc')).toEqual([abc2]);
    expect(await runs('--account', '2', '--kind', 'notes')).toEqual([]);
    expect(await runs('--account', '1', '--organisation', own, '--kind', 'transactions')).toEqual([
      { ...run, run: 'abc2', organisation: own, requests: 0, rows: NOTHING, refused: 1 },
    ]);
    const { stdout } = await runCommand(database, ['imports', 'list', of.supplier]);
    expect(cellsOf(stdout).map(([first, name, , , ...counts]) => [first, name, ...counts])).toEqual([
      ['Run', 'Organisation', 'Requests', 'Stored', 'Rejected', 'Undone'],
      ['abc2', others, '1', 'notes 1', '0', '0'],
      ['none', own, '2', 'notes 2', '0', '0'],
      ['abc2', own, '2', 'notes 1, transactions 2', '1', '1'],
    ]);
    const both = await command('list', of.supplier, '--runs', '--requests');
    expect(both).toMatchObject(refusedWith('wrong_usage'));
    expect(await command('list', unique('none'), '--runs')).toMatchObject(refusedWith('supplier_not_found'));
  });

  it('lists every run once, however many there are, even with equal times (V7)', async () => {
    const of = await world();
    await database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, stored_at)
       SELECT s.id, '1', uuidv7(), 'notes', uuidv7(), 'r' || n / 2 || '-' || n, 1, timestamptz '2026-01-01Z' + n / 7 * interval '1 microsecond'
         FROM import_supplier s, generate_series(1, 5000) n WHERE s.code = $1`,
      [of.supplier],
    );
    const { json } = await command('list', of.supplier, '--runs');
    const found = json as { run: string; requests: number }[];
    expect(new Set(found.map(({ run }) => run)).size).toBe(2_501);
    expect(found.reduce((sum, { requests }) => sum + requests, 0)).toBe(5_000);
  });

  it('lists every request once, however many there are, even with equal times (V7)', async () => {
    const of = await world();
    await database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, stored_at)
       SELECT s.id, (1 + n % 2)::text, uuidv7(), 'notes', uuidv7(), 'many-' || n, 1, timestamptz '2026-01-01Z' + n / 7 * interval '1 microsecond'
         FROM import_supplier s, generate_series(1, 4000) n WHERE s.code = $1`,
      [of.supplier],
    );
    for (const args of [[], ['--request-prefix', 'many-'], ['--account', '1']]) {
      const found = (await list(of, ...args)).map(({ request_id }) => Number(request_id.slice(5)));
      expect(new Set(found).size).toBe(found.length);
      expect(found).toHaveLength(args[0] === '--account' ? 2_000 : 4_000);
      const moments = found.map((n) => Math.floor(n / 7));
      expect(moments).toEqual([...moments].sort((one, other) => other - one));
    }
  });
});
