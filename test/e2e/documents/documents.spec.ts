import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse, relative } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { documentStore } from '../../../src/infrastructure/config/document-store-setting.js';
import { StorageError } from '../../../src/documents/document-store.js';
import { FolderDocumentStore } from '../../../src/documents/folder-document-store.js';
import { documentStoreAt } from '../../../src/documents/open-document-store.js';
import { runCommand, runJson, startCommand, type RunningCommand, refusedWith } from '../../support/cli.js';
import { expectError, expectInvalid } from '../../support/expect-error.js';
import { documentAt, startScriptedObjectStore, useCredentials } from '../../support/object-store.js';
import {
  startService,
  unique,
  type AccountPair,
  type Reply,
  type TestService,
} from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { setUp } from '../../support/set-up.js';
import { folderWith } from '../../support/folders.js';

const NEVER = new AbortController().signal;
const MISSING = 'path_does_not_exist_in_file_store';
const DRY = '?dry_run=true';

describe('documents in a folder', () => {
  const home = folderWith();
  const folder = join(home, 'store of 100 %');
  const service = setUp(async () => {
    await mkdir(folder);
    return startService({ DOCUMENT_STORE: pathToFileURL(folder).href });
  });

  async function put(key: string): Promise<void> {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), '%PDF-1.7');
  }

  describe('the folder as a store', () => {
    const store = new FolderDocumentStore(folder);

    it('distinguishes files from anything else with that name (F4)', async () => {
      await put('plain/2024/bill.pdf');
      expect(await store.exists(documentAt('plain/2024/bill.pdf'))).toBe(true);
      for (const key of [
        'plain/2024',
        'plain/none.pdf',
        'plain/2024/bill.pdf/x',
        'none/x',
        'x'.repeat(300),
      ]) {
        expect([key, await store.exists(documentAt(key))]).toEqual([key, false]);
      }
    });

    it('follows links inside the folder but none that leads out of it, and opens only documents (F2, F4, C6)', async () => {
      await put('links/real.pdf');
      await writeFile(join(home, 'secret.pdf'), '');
      await symlink('real.pdf', join(folder, 'links/inside.pdf'));
      await symlink(join(home, 'secret.pdf'), join(folder, 'links/outside.pdf'));
      await symlink(home, join(folder, 'links/home'));
      // A sibling whose name begins with the folder's name.
      await mkdir(`${folder}-beside`);
      await writeFile(`${folder}-beside/secret.pdf`, '');
      await symlink(`${folder}-beside`, join(folder, 'links/beside'));
      await symlink('loop.pdf', join(folder, 'links/loop.pdf'));
      await symlink('gone.pdf', join(folder, 'links/dangling.pdf'));
      execFileSync('mkfifo', [join(folder, 'links/pipe.pdf')]);
      expect(await store.exists(documentAt('links/inside.pdf'))).toBe(true);
      for (const name of [
        'outside.pdf',
        'home/secret.pdf',
        'beside/secret.pdf',
        'loop.pdf',
        ...['dangling.pdf', 'none.pdf', 'pipe.pdf', '.'],
        `../../${basename(folder)}-beside/secret.pdf`,
      ]) {
        const document = documentAt(`links/${name}`);
        expect([name, await store.exists(document)]).toEqual([name, false]);
        expect([name, await store.read(document, NEVER)]).toEqual([name, undefined]);
      }
    });

    it('follows no link out of the document root, although the root may be reached through links (F4)', async () => {
      await put('a-only/own.pdf');
      await put('b-only/secret.pdf');
      await put('b-only/deep/secret.pdf');
      const links = {
        'a-only/plain.html': '../b-only/secret.pdf',
        'a-only/folder': '../b-only',
        'a-only/twice.pdf': 'plain.html',
        'a-only/own-link.pdf': 'own.pdf',
        'a-only/round.pdf': '../b-only/../a-only/own.pdf',
        'renamed-root': 'a-only',
        // The owner of an outer root has no access to a root inside it.
        'b-only/inner': '../a-only',
      };
      for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
      const there = [
        'a-only/own.pdf',
        'a-only/own-link.pdf',
        'a-only/round.pdf',
        'renamed-root/own-link.pdf',
      ];
      const hidden = [
        ...['a-only/plain.html', 'a-only/folder/secret.pdf', 'a-only/twice.pdf', 'renamed-root/plain.html'],
        ...['a-only/folder/none.pdf', 'b-only/inner/own.pdf'],
      ].map(documentAt);
      const inner = { root: 'b-only/inner', path: 'own.pdf' };
      const nested = { root: 'b-only/deep', path: 'secret.pdf' };
      for (const document of [...there.map(documentAt), nested]) {
        expect([document, await store.exists(document)]).toEqual([document, true]);
        const read = await store.read(document, NEVER);
        expect(await text(read!.bytes)).toBe('%PDF-1.7');
      }
      for (const document of [...hidden, inner, { root: 'b-only/deep', path: '../secret.pdf' }]) {
        expect([document, await store.exists(document)]).toEqual([document, false]);
        expect([document, await store.read(document, NEVER)]).toEqual([document, undefined]);
      }
    });

    it('passes on the bytes of a document and their number (C6)', async () => {
      const content = randomBytes(300_000);
      await mkdir(join(folder, 'read'));
      await writeFile(join(folder, 'read/large.pdf'), content);
      await writeFile(join(folder, 'read/empty.pdf'), '');
      const document = await store.read(documentAt('read/large.pdf'), NEVER);
      expect(document?.size).toBe(content.length);
      expect((await buffer(document!.bytes)).equals(content)).toBe(true);
      const empty = await store.read(documentAt('read/empty.pdf'), NEVER);
      expect([empty?.size, await text(empty!.bytes)]).toEqual([0, '']);
    });

    it('opens nothing outside the document root when the path becomes a link meanwhile (C6)', async () => {
      await put('root/raced/a.pdf');
      await mkdir(join(folder, 'another-root'));
      await writeFile(join(folder, 'another-root/a.pdf'), 'private');
      const stop = new AbortController();
      // Repeatedly exchanges the document's folder and a link.
      const exchange = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          await rename(join(folder, 'root/raced'), join(folder, 'root/kept'));
          await symlink(join(folder, 'another-root'), join(folder, 'root/raced'));
          await rm(join(folder, 'root/raced'));
          await rename(join(folder, 'root/kept'), join(folder, 'root/raced'));
          // Vary the timing, so that a reader is sometimes fast enough.
          for (let turn = 0; turn < Math.random() * 20; turn += 1) await new Promise(setImmediate);
        }
      };
      const exchanging = exchange();
      const read: string[] = [];
      while (read.length < 30) {
        const document = await store.read(documentAt('root/raced/a.pdf'), NEVER);
        if (document) read.push(await text(document.bytes));
      }
      stop.abort();
      await exchanging;
      expect(read.filter((content) => content !== '%PDF-1.7')).toEqual([]);
    });

    it('stops reading when the document is no longer needed (C6)', async () => {
      await put('root/stopped.pdf');
      const stop = new AbortController();
      const document = await store.read(documentAt('root/stopped.pdf'), stop.signal);
      stop.abort();
      await expect(text(document!.bytes)).rejects.toThrow();
    });

    it('may be the root folder of a machine, as in a container, even behind a link (F4)', async () => {
      await put('root/rooted.pdf');
      await symlink(parse(folder).root, join(home, 'link to the root'));
      const key = relative(parse(folder).root, join(folder, 'root/rooted.pdf'));
      for (const address of ['file:///', pathToFileURL(join(home, 'link to the root')).href]) {
        const whole = documentStoreAt(documentStore(address));
        expect([address, await whole.exists(documentAt(key), NEVER)]).toEqual([address, true]);
        expect([address, await whole.exists(documentAt(`${key}.none`), NEVER)]).toEqual([address, false]);
      }
    });

    it('does not report a missing folder as missing documents, nor a file in its place (F3)', async () => {
      const passing = join(home, 'passing');
      await mkdir(passing);
      const gone = new FolderDocumentStore(passing);
      expect(await gone.exists(documentAt('root/a.pdf'))).toBe(false);
      await rm(passing, { recursive: true });
      await expect(gone.exists(documentAt('root/a.pdf'))).rejects.toThrow(StorageError);
      await expect(gone.read(documentAt('root/a.pdf'), NEVER)).rejects.toThrow(StorageError);
      await writeFile(passing, '');
      await expect(gone.exists(documentAt('root/a.pdf'))).rejects.toThrow(StorageError);
    });
  });

  describe('document_check reject', () => {
    async function strictAccount(
      columns: Record<string, unknown> = {},
    ): Promise<{ token: string; ref: AccountPair; root: string }> {
      const root = unique('root');
      const strict = { document_check: 'reject', document_root: root };
      const world = await service.given.supplier({ ...strict, ...columns });
      return { ...(await service.given.importedAccount({ world })), root };
    }

    it('names each path of a note without a document, and stores nothing, like a dry run (F3, R1)', async () => {
      const { token, ref, root } = await strictAccount();
      await put(`${root}/there.pdf`);
      const notes = [
        note('there.pdf'),
        note('there.pdf', 'none.pdf'),
        { body: 'Nothing attached' },
        note('none.pdf', 'there.pdf', 'nor/this.pdf'),
      ];
      for (const query of ['', DRY]) {
        expectError(await post('notes', token, ref, notes, query), 400, 'validation_error', [
          [MISSING, 'notes.1.document_paths.1.document_path'],
          [MISSING, 'notes.3.document_paths.0.document_path'],
          [MISSING, 'notes.3.document_paths.2.document_path'],
        ]);
      }
      await put(`${root}/none.pdf`);
      await put(`${root}/nor/this.pdf`);
      expect((await post('notes', token, ref, notes, DRY)).status).toBe(201);
      expect(await count(service, 'note', ref)).toBe(0);
      const reply = await post('notes', token, ref, notes);
      expect(reply.status).toBe(201);
      expect((reply.body as { status: string }[]).map(({ status }) => status)).toEqual(
        Array(4).fill('NOTE_CREATION_SUCCESS'),
      );
    });

    it('names each statement without its document in order among other errors, like a dry run (F3, H3, T6, R1)', async () => {
      const { token, ref, root } = await strictAccount();
      await put(`${root}/there.pdf`);
      await post('statements', token, ref, [statement('known', 'there.pdf'), statement('bare')]);
      const statements = [
        statement('new', 'none.pdf'),
        statement('known', 'none.pdf'),
        statement('bare', 'there.pdf'),
        statement('fine', 'there.pdf'),
      ];
      for (const query of ['', DRY]) {
        expectError(await post('statements', token, ref, statements, query), 400, 'validation_error', [
          [MISSING, 'statements.0.statement_path'],
          ['historical_statement_already_exists', 'statements.1.statement_id'],
          [MISSING, 'statements.1.statement_path'],
          ['historical_statement_already_exists', 'statements.2.statement_id'],
        ]);
      }
      const fine = [statement('fine', 'there.pdf')];
      expect(await post('statements', token, ref, fine, DRY)).toMatchObject({ status: 201 });
      expect(await count(service, 'statement', ref)).toBe(2);
    });

    it('recognises stored items, even if their documents are gone (F3, H3, N1)', async () => {
      const { token, ref, root } = await strictAccount();
      await put(`${root}/gone.pdf`);
      const notes = [note('gone.pdf'), { document_paths: [{ document_path: 'gone.pdf' }] }];
      const statements = [statement('S', 'gone.pdf'), statement('bare')];
      expect(await post('notes', token, ref, notes)).toMatchObject({ status: 201 });
      expect(await post('statements', token, ref, statements)).toMatchObject({ status: 201 });
      await rm(join(folder, root, 'gone.pdf'));
      for (const query of ['', '?dry_run=true']) {
        const again = await post('notes', token, ref, notes, query);
        expect((again.body as { status: string }[]).map(({ status }) => status)).toEqual([
          'NOTE_ALREADY_EXISTS',
          'NOTE_ALREADY_EXISTS',
        ]);
        expect(await post('statements', token, ref, statements, query)).toMatchObject({ status: 201 });
      }
      const newNote = { ...note('gone.pdf'), body: 'New' };
      const errors = await post('notes', token, ref, [...notes, newNote, newNote]);
      expectError(errors, 400, 'validation_error', [
        [MISSING, 'notes.2.document_paths.0.document_path'],
        [MISSING, 'notes.3.document_paths.0.document_path'],
      ]);
      const more = [...statements, statement('new', 'gone.pdf')];
      expectInvalid(await post('statements', token, ref, more), [MISSING, 'statements.2.statement_path']);
      expect([await count(service, 'note', ref), await count(service, 'statement', ref)]).toEqual([2, 2]);
      await put(`${root}/there.pdf`);
      const fine = await post('notes', token, ref, [...notes, note('there.pdf')]);
      expect((fine.body as { status: string }[]).map(({ status }) => status)).toEqual([
        'NOTE_ALREADY_EXISTS',
        'NOTE_ALREADY_EXISTS',
        'NOTE_CREATION_SUCCESS',
      ]);
      expect(
        await post('statements', token, ref, [...statements, statement('new', 'there.pdf')]),
      ).toMatchObject({ status: 201 });
    });

    it('looks only below the supplier’s own root (2.9, F1)', async () => {
      const { token, ref } = await strictAccount();
      const other = await strictAccount();
      await put(`${other.root}/a.pdf`);
      await put('a.pdf');
      expectError(await post('statements', token, ref, [statement('S', 'a.pdf')]), 400, 'validation_error', [
        [MISSING, 'statements.0.statement_path'],
      ]);
    });

    it('reports an unknown account and a paused supplier first (T10)', async () => {
      const { token, ref } = await strictAccount();
      const unknown = { ...ref, external_account_number: unique('none') };
      expectError(await post('notes', token, unknown, [note('none.pdf')]), 404, 'account_not_found');
      expectError(await post('statements', token, unknown, [statement('S', 'x')]), 404, 'account_not_found');
      const paused = await strictAccount({ status: 'paused' });
      expectError(
        await post('notes', paused.token, paused.ref, [note('none.pdf')]),
        400,
        'validation_error',
        [['import_supplier_migration_not_ongoing', 'import_supplier']],
      );
    });

    it('answers 503 while the store is unavailable, and accepts the same request when it is back (F3, T4)', async () => {
      const { token, ref, root } = await strictAccount();
      await put(`${root}/a.pdf`);
      await rename(folder, `${folder}.away`);
      try {
        for (const reply of [
          await post('notes', token, ref, [note('a.pdf')]),
          await post('statements', token, ref, [statement('S', 'a.pdf')]),
        ]) {
          expectError(reply, 503, 'service_unavailable', []);
          expect(reply.headers.has('retry-after')).toBe(true);
        }
        expect(await post('notes', token, ref, [{ body: 'No document' }])).toMatchObject({ status: 201 });
      } finally {
        await rename(`${folder}.away`, folder);
      }
      expect(await post('notes', token, ref, [note('a.pdf')])).toMatchObject({ status: 201 });
    });
  });

  describe('documents check', () => {
    interface Checked {
      checked: number;
      missing: { path: string; kind: 'note' | 'statement'; external_account_number: string }[];
    }

    const environment = (): Record<string, string> => ({ DOCUMENT_STORE: pathToFileURL(folder).href });

    async function check(
      supplier: string,
      variables = environment(),
    ): Promise<{ exitCode: number | null; json: Checked; stderr: string }> {
      const end = await runJson(service.database, ['documents', 'check', supplier], '', variables);
      return { ...end, json: end.json as Checked };
    }

    it('lists missing documents, remembers found ones, and looks up the missing ones again (F3, section 6)', async () => {
      const world = await service.given.supplier({ document_root: unique('root') });
      const root = await documentRoot(service, world.supplier);
      const { token, ref } = await service.given.importedAccount({ world });
      await put(`${root}/letter.pdf`);
      await put(`${root}/bill.pdf`);
      await post('notes', token, ref, [
        note('letter.pdf'),
        note('letter.pdf', 'late.pdf'),
        { body: 'Nothing attached' },
      ]);
      await post('statements', token, ref, [statement('S-1', 'bill.pdf')]);
      await post('statements', token, ref, [
        statement('S-1', 'bill.pdf'),
        statement('S-2', 'lost.pdf'),
        statement('S-3'),
      ]);
      const external_account_number = ref.external_account_number;
      const [late, lost] = [
        { path: 'late.pdf', kind: 'note', external_account_number },
        { path: 'lost.pdf', kind: 'statement', external_account_number },
      ];
      expect(await check(world.supplier)).toMatchObject({
        exitCode: 0,
        json: { checked: 5, missing: [late, lost] },
      });
      await put(`${root}/late.pdf`);
      expect((await check(world.supplier)).json).toEqual({ checked: 2, missing: [lost] });
      const unseen = `SELECT kind FROM import_request WHERE external_account_number = $1 AND has_unseen_documents`;
      expect(await service.database.sql(unseen, [external_account_number])).toEqual([{ kind: 'statements' }]);
      expect((await check(world.supplier)).json).toEqual({ checked: 1, missing: [lost] });
      await put(`${root}/lost.pdf`);
      expect((await check(world.supplier)).json).toEqual({ checked: 1, missing: [] });
      expect((await check(world.supplier)).json).toEqual({ checked: 0, missing: [] });
      expect(await service.database.sql(unseen, [external_account_number])).toEqual([]);
    });

    it('does not look up documents again that existed at the import (F3)', async () => {
      const world = await service.given.supplier({ document_check: 'reject', document_root: unique('root') });
      const root = await documentRoot(service, world.supplier);
      const { token, ref } = await service.given.importedAccount({ world });
      await put(`${root}/a.pdf`);
      await post('notes', token, ref, [note('a.pdf'), { body: 'Nothing attached' }]);
      await post('statements', token, ref, [statement('S', 'a.pdf'), statement('T')]);
      expect((await check(world.supplier)).json).toEqual({ checked: 0, missing: [] });
    });

    it('looks in the location that was stored with the import request (F1)', async () => {
      const world = await service.given.supplier({ document_root: unique('root') });
      const root = await documentRoot(service, world.supplier);
      const { token, ref } = await service.given.importedAccount({ world });
      await put(`${root}/a.pdf`);
      await post('statements', token, ref, [statement('S', 'a.pdf')]);
      await service.database.sql(`UPDATE import_supplier SET document_root = 'moved' WHERE code = $1`, [
        world.supplier,
      ]);
      expect((await check(world.supplier)).json).toEqual({ checked: 1, missing: [] });
    });

    it('checks more documents than it holds at a time, and only those of one supplier (section 6)', async () => {
      const world = await service.given.supplier({ document_root: unique('root') });
      const root = await documentRoot(service, world.supplier);
      const accounts = await Promise.all(
        Array.from({ length: 3 }, () => service.given.importedAccount({ world })),
      );
      await put(`${root}/shared.pdf`);
      for (const { token, ref } of accounts) {
        const indexes = Array.from({ length: 400 }, (_, index) => index);
        await post(
          'notes',
          token,
          ref,
          indexes.map((index) => ({ ...note('shared.pdf'), body: `n ${index}` })),
        );
        await post(
          'statements',
          token,
          ref,
          indexes.map((index) => statement(`S${index}`, `${index}.pdf`)),
        );
      }
      const other = await service.given.importedAccount();
      await post('statements', other.token, other.ref, [statement('S', 'none.pdf')]);
      const { json } = await check(world.supplier);
      expect(json.checked).toBe(2_400);
      expect(json.missing).toHaveLength(1_200);
      expect(new Set(json.missing.map((one) => JSON.stringify(one))).size).toBe(1_200);
      expect(json.missing.every(({ kind }) => kind === 'statement')).toBe(true);
    });

    it('prints text without --json (section 6)', async () => {
      const world = await service.given.supplier();
      const { token, ref } = await service.given.importedAccount({ world });
      await post('statements', token, ref, [statement('S', 'none.pdf')]);
      const command = ['documents', 'check', world.supplier];
      const { exitCode, stdout } = await runCommand(service.database, command, '', environment());
      expect(exitCode).toBe(0);
      expect(stdout).toBe(`statement of ${ref.external_account_number}: none.pdf\nChecked 1, missing 1.\n`);
    });

    describe('at an object store', () => {
      let takeCredentials: () => void;
      beforeAll(() => {
        takeCredentials = useCredentials();
      });
      const scripted = setUp(startScriptedObjectStore);
      const remote = setUp(() => startService({ DOCUMENT_STORE: scripted.address }));
      afterAll(() => {
        takeCredentials();
      });

      const checkAt = (supplier: string): RunningCommand => {
        const settings = { DOCUMENT_STORE: scripted.address };
        return startCommand(remote.database, ['documents', 'check', supplier, '--json'], settings);
      };

      it('reports nothing as missing when the store does not answer, and keeps its findings (F3)', async () => {
        const { token, ref } = await remote.given.importedAccount();
        await remote.post('notes/create/', token, { ...ref, notes: [note('seen.pdf')] });
        await remote.post('historical-statements/create/', token, {
          ...ref,
          statements: [statement('S', 'denied.pdf')],
        });
        scripted.answers = (path) => (path.endsWith('seen.pdf') ? 200 : 403);
        const { exitCode, stdout } = await checkAt(ref.import_supplier).ended;
        expect({ exitCode, json: JSON.parse(stdout) as unknown }).toMatchObject(
          refusedWith('document_store_unavailable'),
        );
        const { sql } = remote.database;
        const of = [ref.external_account_number];
        expect(
          await sql(
            'SELECT documents_seen_at IS NOT NULL AS is_seen FROM note WHERE external_account_number = $1',
            of,
          ),
        ).toEqual([{ is_seen: true }]);
        expect(
          await sql('SELECT document_seen_at FROM statement WHERE external_account_number = $1', of),
        ).toEqual([{ document_seen_at: null }]);
      });

      it('ends with its findings so far when it is interrupted (section 6)', async () => {
        const { token, ref } = await remote.given.importedAccount();
        await remote.post('notes/create/', token, { ...ref, notes: [note('seen.pdf')] });
        const statements = Array.from({ length: 100 }, (_, index) => statement(`S${index}`, `${index}.pdf`));
        await remote.post('historical-statements/create/', token, { ...ref, statements });
        scripted.answers = (path) => (path.endsWith('seen.pdf') ? 200 : 'silence');
        const before = scripted.requested.length;
        const command = checkAt(ref.import_supplier);
        await waitUntil('sixteen statements are looked up', () => scripted.requested.length >= before + 17);
        command.signal('SIGINT');
        const { exitCode, stdout, stderr } = await command.ended;
        expect({ exitCode, json: JSON.parse(stdout) as unknown }).toEqual({
          exitCode: 1,
          json: { checked: 1, missing: [] },
        });
        expect(stderr).toContain('run the command again');
        expect(scripted.requested).toHaveLength(before + 17);
      });
    });

    it('reports nothing as missing when the folder does not exist, which no command creates (F3)', async () => {
      const world = await service.given.supplier({ document_root: unique('root') });
      const root = await documentRoot(service, world.supplier);
      const { token, ref } = await service.given.importedAccount({ world });
      await put(`${root}/a.pdf`);
      await rename(folder, `${folder}.away`);
      try {
        const listed = ['supplier', 'show', world.supplier];
        expect((await runJson(service.database, listed, '', environment())).exitCode).toBe(0);
        const reply = await post('statements', token, ref, [statement('S', 'a.pdf')]);
        expect(reply.status).toBe(201);
        const { exitCode, json } = await check(world.supplier);
        expect({ exitCode, json }).toMatchObject(refusedWith('document_store_unavailable'));
        await expect(stat(folder)).rejects.toThrow('ENOENT');
      } finally {
        await rename(`${folder}.away`, folder);
      }
      expect((await check(world.supplier)).json).toEqual({ checked: 1, missing: [] });
    });

    it('does not guess about documents that were loaded into another store (F1, F4)', async () => {
      const world = await service.given.supplier();
      const { token, ref } = await service.given.importedAccount({ world });
      await post('statements', token, ref, [statement('S', 'a.pdf')]);
      // Traces of one check must not make the next one guess.
      for (let checks = 0; checks < 2; checks += 1) {
        const { exitCode, json, stderr } = await check(world.supplier, {
          DOCUMENT_STORE: pathToFileURL(join(home, 'another store')).href,
        });
        expect({ exitCode, json }).toEqual({ exitCode: 1, json: { checked: 0, missing: [] } });
        expect(stderr).toContain('1 documents were stored while DOCUMENT_STORE named another place');
      }
    });
  });

  function post(
    what: 'notes' | 'statements',
    token: string,
    ref: AccountPair,
    items: object[],
    query = '',
  ): Promise<Reply> {
    const path = what === 'notes' ? 'notes' : 'historical-statements';
    return service.post(`${path}/create/${query}`, token, { ...ref, [what]: items });
  }
});

function note(...paths: string[]): object {
  return { body: unique('Letter'), document_paths: paths.map((document_path) => ({ document_path })) };
}

function statement(statement_id: string, statement_path?: string): object {
  return {
    statement_id,
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-01-31',
    ...(statement_path !== undefined && { statement_path }),
  };
}

async function count(service: TestService, table: 'note' | 'statement', ref: AccountPair): Promise<number> {
  const rows = await service.database.sql(`SELECT 1 FROM ${table} WHERE external_account_number = $1`, [
    ref.external_account_number,
  ]);
  return rows.length;
}

async function documentRoot(service: TestService, supplier: string): Promise<string> {
  const [row] = await service.database.sql<{ document_root: string }>(
    `SELECT document_root FROM import_supplier WHERE code = $1`,
    [supplier],
  );
  return row!.document_root;
}
