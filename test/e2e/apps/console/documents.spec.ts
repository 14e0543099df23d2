import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runJson } from '../../../support/cli.js';
import { collapsed, rowsOf, signInAsOperator, type ConsolePage } from '../../../support/console.js';
import { AWS_ENVIRONMENT, startScriptedObjectStore } from '../../../support/object-store.js';
import { env } from '../../../support/outside.js';
import { sendRaw } from '../../../support/raw-http.js';
import { startService, type AccountPair, type World } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { folderWith } from '../../../support/folders.js';

const home = folderWith();
const folder = join(home, 'store');
const service = setUp(async () => {
  await mkdir(folder);
  return startService({ CONSOLE: 'on', DOCUMENT_STORE: pathToFileURL(folder).href });
});
const operator = setUp(() => signInAsOperator(service));

async function put(key: string, content: string | Buffer = '%PDF-1.7'): Promise<void> {
  await mkdir(dirname(join(folder, key)), { recursive: true });
  await writeFile(join(folder, key), content);
}

const PERIOD = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };

type Given = World & { ref: AccountPair };

/** An account with a note that names the documents, and a statement that names the first of them. */
async function accountWith(paths: readonly string[], root = 'root', on = service): Promise<Given> {
  const world = await on.given.supplier({ document_root: root });
  const given = await on.given.importedAccount({ world });
  const [first] = paths;
  if (first === undefined) return given;
  const statements = [{ statement_id: 's', ...PERIOD, statement_path: first }];
  const notes = [{ body: 'Letter', document_paths: paths.map((path) => ({ document_path: path })) }];
  for (const [path, items] of [
    ['historical-statements/create/', { statements }],
    ['notes/create/', { notes }],
  ] as const) {
    expect(await on.post(path, given.token, { ...given.ref, ...items })).toMatchObject({ status: 201 });
  }
  return given;
}

const addressOf = ({ ref }: { ref: AccountPair }, written: string): string =>
  `/console/suppliers/${ref.import_supplier}/accounts/${ref.external_account_number}/documents/${written}`;

function get(given: { ref: AccountPair }, written: string, client = operator): Promise<ConsolePage> {
  return client.get(addressOf(given, written));
}

describe('a document of an account', () => {
  it('is shown inline when it begins like a PDF file, and runs nothing (C6)', async () => {
    const content = `%PDF-1.7 ${'x'.repeat(200_000)}`;
    await put('root/2025/bill.pdf', content);
    const given = await accountWith(['2025/bill.pdf']);
    const { status, headers, html } = await get(given, '2025/bill.pdf');
    expect(status).toBe(200);
    expect(html).toBe(content);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "inline; filename*=UTF-8''bill.pdf",
      'content-length': String(content.length),
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['page.html', '<script>alert(1)</script>'],
    ['really.pdf', '<html>%PDF-'],
    ['empty.pdf', ''],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ])('is otherwise a download, whatever its name: %s (C6)', async (name, content) => {
    await put(`root/${name}`, content);
    const { status, headers, html } = await get(await accountWith([name]), name);
    expect([status, html]).toEqual([200, content]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
  });

  it('has any name that a path may have (C6)', async () => {
    const path = `Zähler №7/a%2Fb?c#d&e+f "g" 'h' (i)*.pdf`;
    await put(`root/${path}`);
    const given = await accountWith([path]);
    const written = path.split('/').map(encodeURIComponent).join('/');
    const { status, headers } = await get(given, `${written}?page=1/2`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      "inline; filename*=UTF-8''a%252Fb%3Fc%23d%26e%2Bf%20%22g%22%20%27h%27%20%28i%29%2A.pdf",
    );
    const longest = `${'é'.repeat(100)}/`.repeat(5) + 'z'.repeat(10);
    await put(`root/${longest}`);
    const deep = await accountWith([longest]);
    expect((await get(deep, longest.split('/').map(encodeURIComponent).join('/'))).status).toBe(200);
  });

  it('is answered to HEAD without its content (C6, T16)', async () => {
    await put('root/head.pdf', '%PDF-1.7');
    const given = await accountWith(['head.pdf']);
    const { status, headers, html } = await operator.send(addressOf(given, 'head.pdf'), { method: 'HEAD' });
    expect([status, html, headers.get('content-length')]).toEqual([200, '', '8']);
    expect(headers.get('content-type')).toBe('application/pdf');
  });

  it('does not exist at a path that nothing on the account names (C6)', async () => {
    await put('root/named.pdf');
    for (const name of ['other', 'seen']) await put(`root/2025/${name}.pdf`);
    await put('root/other.pdf');
    await writeFile(join(home, 'private.pdf'), 'private');
    const given = await accountWith(['named.pdf', '2025/seen.pdf']);
    const other = await accountWith(['other.pdf', '2025/other.pdf']);
    expect((await get(other, 'other.pdf')).status).toBe(200);
    for (const written of [
      ...['other.pdf', '2025%2Fseen.pdf', '2025/other.pdf', 'NAMED.pdf', 'named.pdf/', 'named.pdf%00', '%00'],
      ...[
        'root/named.pdf',
        '%2e%2e/private.pdf',
        '..%2f..%2fprivate.pdf',
        'named.pdf%2f..%2fnamed.pdf',
        '%25',
      ],
    ]) {
      const page = await get(given, written);
      expect([written, page.status]).toEqual([written, 404]);
      expect(page.html).not.toContain('private');
    }
    // A browser or fetch would resolve these.
    const cookie = `data_import_session=${operator.cookie('data_import_session')!}`;
    for (const written of ['../../../../private.pdf', './named.pdf', 'x/../named.pdf']) {
      const raw = await sendRaw(
        service.baseUrl,
        `GET ${addressOf(given, written)} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
      );
      expect([written, raw.status]).toEqual([written, 404]);
    }
  });

  it('is an error page while the store lacks it, or if a link leads out of the document root (C6, F4)', async () => {
    const given = await accountWith(['not-yet.pdf', 'linked.pdf', 'plain.html']);
    await put('b-only/secret.pdf', 'private');
    await writeFile(join(home, 'private.pdf'), 'private');
    await mkdir(join(folder, 'root'), { recursive: true });
    await symlink(join(home, 'private.pdf'), join(folder, 'root/linked.pdf'));
    await symlink('../b-only/secret.pdf', join(folder, 'root/plain.html'));
    for (const name of ['not-yet.pdf', 'linked.pdf', 'plain.html']) {
      const page = await get(given, name);
      expect(page.status).toBe(404);
      expect(page.text).toContain('is not in the store yet');
      expect(page.html).not.toContain('private');
    }
  });

  it('is an error page when the store does not answer (C6, F3)', async () => {
    const given = await accountWith(['away.pdf']);
    await rename(folder, `${folder}-away`);
    try {
      const page = await get(given, 'away.pdf');
      expect(page.status).toBe(503);
      expect(page.text).toContain('The document store does not answer');
    } finally {
      await rename(`${folder}-away`, folder);
    }
  });

  it('is read from its original location after the document root was changed (C6, F1)', async () => {
    const given = await accountWith(['moved.pdf'], 'old');
    await put('old/moved.pdf', '%PDF-old');
    await put('new/moved.pdf', '%PDF-new');
    await service.database.sql(`UPDATE import_supplier SET document_root = 'new' WHERE code = $1`, [
      given.supplier,
    ]);
    expect((await get(given, 'moved.pdf')).html).toBe('%PDF-old');
    await service.post('notes/create/', given.token, {
      ...given.ref,
      notes: [{ body: 'again', document_paths: [{ document_path: 'moved.pdf' }] }],
    });
    expect((await get(given, 'moved.pdf')).html).toBe('%PDF-new');
    await rm(join(folder, 'new/moved.pdf'));
    expect((await get(given, 'moved.pdf')).html).toBe('%PDF-old');
  });

  it('is recorded when it is seen, without its path (C5, C6, S10)', async () => {
    await put('root/recorded.pdf');
    const given = await accountWith(['recorded.pdf']);
    await get(given, 'recorded.pdf');
    await get(given, 'unknown.pdf');
    const entries = await service.database.sql(
      `SELECT action, import_supplier, count FROM viewed WHERE external_account_number = $1`,
      [given.ref.external_account_number],
    );
    expect(entries).toEqual([{ action: 'document.view', import_supplier: given.supplier, count: 1 }]);
  });
});

describe('the documents of a supplier', () => {
  const listOf = ({ supplier }: Given, query = ''): string =>
    `/console/suppliers/${supplier}/documents${query}`;
  const NOT_LOOKED_UP = '?state=not_looked_up';

  const show = (given: Given, query = '', client = operator): Promise<ConsolePage> =>
    client.get(listOf(given, query));
  const lookUp = (given: Given, client = operator): Promise<ConsolePage> =>
    client.post(listOf(given), {}, listOf(given));
  /** Missing, and not looked up yet. */
  const numbersOf = ({ document }: ConsolePage): string[] =>
    document.querySelectorAll('#numbers dl dd').map(collapsed);
  /** Without the times. */
  const rowsWithoutTimes = (page: ConsolePage): string[][] => rowsOf(page).map((row) => row.slice(0, 3));

  const note = (...paths: string[]): object => ({
    body: paths.join(),
    document_paths: paths.map((path) => ({ document_path: path })),
  });

  async function name({ token, ref }: Given, ...paths: string[]): Promise<void> {
    const { status } = await service.post('notes/create/', token, { ...ref, notes: [note(...paths)] });
    expect(status).toBe(201);
  }

  /** Wait for the end of the look-up that the page reports. */
  async function ended(given: Given): Promise<string> {
    let text = '';
    await waitUntil('the look-up has ended', async () => {
      const { document } = await show(given);
      text = collapsed(document.querySelector('#numbers .notice')!);
      return document.querySelector('#numbers')!.getAttribute('hx-get') === undefined;
    });
    return text;
  }

  it('are missing if a look-up has not found them, and not looked up yet if they were named since; look-ups are recorded (F5, O6)', async () => {
    await put('two/there.pdf');
    const given = await accountWith(['there.pdf', 'lost.pdf'], 'two');
    const { external_account_number: number } = given.ref;
    const before = await show(given, NOT_LOOKED_UP);
    expect(numbersOf(before)).toEqual(['0', '3']);
    expect(before.text).toContain('The documents were not looked up yet.');
    expect(rowsWithoutTimes(before)).toEqual([
      ...[
        [number, 'note', 'there.pdf'],
        [number, 'note', 'lost.pdf'],
      ],
      [number, 'statement', 'there.pdf'],
    ]);
    expect((await show(given)).text).toContain('No document that was looked up is missing.');

    const begun = await lookUp(given);
    expect([begun.status, begun.headers.get('location')]).toEqual([303, listOf(given)]);
    expect(await ended(given)).toMatch(/^The look-up of .* is complete: 3 documents were looked up\.$/);
    const after = await show(given);
    expect(numbersOf(after)).toEqual(['1', '0']);
    expect(rowsWithoutTimes(after)).toEqual([[number, 'note', 'lost.pdf']]);
    expect(after.text).toContain('The last look-up of all documents started on');
    expect(after.document.querySelector('table a')?.getAttribute('href')).toBe(
      `/console/suppliers/${given.supplier}/accounts/${number}`,
    );
    expect((await show(given, NOT_LOOKED_UP)).text).toContain(
      'Every document that notes and statements refer to was looked up.',
    );

    await name(given, 'later.pdf');
    expect(numbersOf(await show(given))).toEqual(['1', '1']);
    expect(rowsWithoutTimes(await show(given, NOT_LOOKED_UP))).toEqual([[number, 'note', 'later.pdf']]);

    const environment = { DOCUMENT_STORE: pathToFileURL(folder).href };
    const { json } = await runJson(service.database, ['documents', 'check', given.supplier], '', environment);
    expect(json).toMatchObject({ checked: 2, missing: [{ path: 'lost.pdf' }, { path: 'later.pdf' }] });
    expect(numbersOf(await show(given))).toEqual(['2', '0']);

    const { document } = await operator.get(`/console/suppliers/${given.supplier}/activity?show=runs`);
    expect(document.querySelectorAll('ol.timeline li p, ol.timeline li dl').map(collapsed)).toEqual([
      'Look-up of documents by test operator complete',
      expect.stringMatching(/^Checked2Missing2/),
      expect.stringMatching(/^Look-up of documents by operator-\w+ complete$/),
      expect.stringMatching(/^Checked3Missing1/),
    ]);
  });

  it('are looked up by one look-up at a time, including requests that were being stored when it began (F5)', async () => {
    const given = await accountWith([], 'race');
    // The request has its id, and waits for another transaction that stores the same statement.
    const other = await service.database.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO statement (import_supplier_id, external_account_number, import_request_id, statement_id,
                              bill_period_from_date, bill_period_to_date)
       SELECT id, $2, uuidv7(), 's', '2025-01-01', '2025-01-31' FROM import_supplier WHERE code = $1`,
      [given.supplier, given.ref.external_account_number],
    );
    const statements = [{ statement_id: 's', ...PERIOD, statement_path: 'stored-meanwhile.pdf' }];
    const sent = service.post('historical-statements/create/', given.token, { ...given.ref, statements });
    await service.database.blocked(1);
    expect((await lookUp(given)).headers.get('location')).toBe(listOf(given));
    const running = await show(given);
    expect(running.text).toMatch(
      /A look-up is running since .*: 0 documents were looked up so far(, of 0)?\./,
    );
    expect(running.document.querySelector('#numbers')?.getAttribute('hx-get')).toBe(
      listOf(given, '?state=missing'),
    );
    expect(running.document.querySelector('#numbers form')).toBeNull();
    const second = await operator.post(listOf(given), {}, '/console/');
    expect([second.status, second.text]).toEqual([
      400,
      expect.stringContaining('Nothing was started: a look-up is already running.'),
    ]);
    await other.end();
    expect((await sent).status).toBe(201);
    expect(await ended(given)).toMatch(/ is complete: 1 document was looked up\.$/);
    expect(numbersOf(await show(given))).toEqual(['1', '0']);
  });

  it('stay as they are when the store does not answer or the process is killed, and can be looked up again (F5)', async () => {
    const given = await accountWith(['a.pdf'], 'away');
    await rename(folder, `${folder}.away`);
    try {
      await lookUp(given);
      expect(await ended(given)).toMatch(/^The look-up of .* has failed: 0 documents were looked up\./);
    } finally {
      await rename(`${folder}.away`, folder);
    }
    expect(numbersOf(await show(given))).toEqual(['0', '2']);
    await service.database.sql(
      `UPDATE supplier_run SET outcome = NULL, done = 1, advanced_at = now() - interval '2 minutes'
        WHERE import_supplier = $1 AND kind = 'documents'`,
      [given.supplier],
    );
    expect(await ended(given)).toMatch(/ended early: 1 document was looked up\./);
    await lookUp(given);
    expect(await ended(given)).toMatch(/ is complete: 2 documents were looked up\.$/);
    expect(numbersOf(await show(given))).toEqual(['2', '0']);
  });

  it('have pages, across the documents of one note and the kinds (F5)', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `${1_000 + index}.pdf`);
    const given = await accountWith(paths, 'pages');
    // Requests without an unseen document, as two concurrent look-ups may leave them.
    await service.database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, has_unseen_documents)
       SELECT import_supplier_id, external_account_number, uuidv7(interval '-1 day'), kind, api_key_id, request_id, 1, true
         FROM import_request, generate_series(1, 250) WHERE external_account_number = $1`,
      [given.ref.external_account_number],
    );
    const first = await show(given, NOT_LOOKED_UP);
    expect(numbersOf(first)).toEqual(['0', '101']);
    const next = first.document.querySelector('nav.pager a[rel=next]')!.getAttribute('href')!;
    const second = await operator.get(next.replaceAll('&amp;', '&'));
    expect([...rowsOf(first), ...rowsOf(second)].map(([, kind, path]) => [kind, path])).toEqual([
      ...paths.map((path) => ['note', path]),
      ['statement', paths[0]],
    ]);
    expect(second.document.querySelector('nav.pager a[rel=next]')).toBeNull();
    for (const made of ['&after=x', '&after=note:x', '&after=other:WyJhIl0'])
      expect(rowsOf(await show(given, `${NOT_LOOKED_UP}${made}`))).toHaveLength(100);
    expect((await show(given, '?state=other')).status).toBe(404);
    await service.database.sql(
      `INSERT INTO supplier_total AS t (import_supplier_id, documents_looked_up_before)
       SELECT id, uuidv7() FROM import_supplier WHERE code = $1
           ON CONFLICT (import_supplier_id) DO UPDATE SET documents_looked_up_before = excluded.documents_looked_up_before`,
      [given.supplier],
    );
    expect(rowsOf(await operator.get(next.replaceAll('&amp;', '&')))).toEqual([]);
  });

  it('are downloaded as a file, which is recorded (F5, O6)', async () => {
    const given = await accountWith(['=1+1.pdf'], 'file');
    const file = await operator.get(listOf(given, '.csv?state=not_looked_up'));
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="documents.csv"');
    const { external_account_number: number } = given.ref;
    expect(file.html.split('\r\n').map((line) => line.replace(/,[^,]*$/, ''))).toEqual([
      'state,external_account_number,kind,path',
      `not_looked_up,${number},note,'=1+1.pdf`,
      `not_looked_up,${number},statement,'=1+1.pdf`,
      '',
    ]);
    expect((await operator.get(listOf(given, '.csv'))).html).toBe(
      'state,external_account_number,kind,path,named_at\r\n',
    );
    expect(
      await service.database.sql('SELECT action, count FROM viewed WHERE import_supplier = $1', [
        given.supplier,
      ]),
    ).toEqual([{ action: 'documents.download', count: 2 }]);
  });

  it('of a previously configured store are reported as being in another one (F5)', async () => {
    const given = await accountWith(['a.pdf'], 'moved');
    await service.database.sql(
      `UPDATE statement SET document_location = 'other-bucket/moved/a.pdf'
        WHERE import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [given.supplier],
    );
    expect(rowsWithoutTimes(await show(given, NOT_LOOKED_UP)).map(([, , path]) => path)).toEqual([
      ...['a.pdf', 'a.pdf in another document store'],
    ]);
  });
});

describe('a document in an object store', () => {
  const before = { ...env };
  beforeAll(() => {
    Object.assign(env, AWS_ENVIRONMENT);
  });
  afterAll(() => {
    for (const name of Object.keys(env)) if (!(name in before)) Reflect.deleteProperty(env, name);
    Object.assign(env, before);
  });

  it('is no longer fetched when the browser has gone, and an interrupted answer is not complete (C6)', async () => {
    const store = await startScriptedObjectStore();
    await using other = inBlock(await startService({ CONSOLE: 'on', DOCUMENT_STORE: store.address }));
    const client = await signInAsOperator(other);
    const given = await accountWith(['a.pdf'], 'root', other);
    store.answers = () => 'beginning';
    const headers = { cookie: `data_import_session=${client.cookie('data_import_session')!}` };
    const leaving = new AbortController();
    const response = await fetch(other.baseUrl + addressOf(given, 'a.pdf'), {
      headers,
      signal: leaving.signal,
    });
    expect(response.headers.get('content-length')).toBe('1000000');
    leaving.abort();
    await waitUntil('the store is left', () => store.abandoned() === 1);
    const broken = await fetch(other.baseUrl + addressOf(given, 'a.pdf'), { headers });
    await store.stop();
    await expect(broken.text()).rejects.toThrow();
    expect((await client.get(addressOf(given, 'a.pdf'))).status).toBe(503);
  });
});
