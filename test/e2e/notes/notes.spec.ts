import { Clock } from '../../../src/infrastructure/clock/clock.js';
import { ExpressUse } from '../../../src/ingest/express-use.js';
import { expectInvalid, expectError } from '../../support/expect-error.js';
import { type AccountPair, type Reply } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

const { jest } = import.meta;

/** Insert a note without a date-time, as another instance would: supplier, account, body. */
const INSERT_NOTE = `
  INSERT INTO note (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent, is_pinned)
  SELECT id, $2, uuidv7(), $3, '2020-01-01T00:00:00Z', false, false FROM import_supplier WHERE code = $1`;

interface NoteResult {
  created_at: string;
  body: string;
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

describe('POST notes/create/', () => {
  const service = setUp(sharedService);
  const create = (token: string, payload: unknown, query = ''): Promise<Reply<NoteResult[]>> =>
    service.post<NoteResult[]>(`notes/create/${query}`, token, payload);
  const statuses = ({ body }: Reply<NoteResult[]>): string[] =>
    Array.isArray(body) ? body.map(({ status }) => status) : [JSON.stringify(body)];

  const [NEW, THERE] = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'];
  const PATHS = [{ document_path: '2024/letter.pdf' }, { document_path: 'Zähler №7/scan 1.pdf' }];

  interface StoredNote {
    body: string;
    created_at: string;
    document_paths: string[];
    document_locations: string[];
    is_pinned: boolean;
    unpin_at: string | null;
    import_request_id: string;
  }

  /** The account's notes as the database holds them, oldest first. */
  function stored({ import_supplier, external_account_number }: AccountPair): Promise<StoredNote[]> {
    return service.database.sql<StoredNote>(
      `SELECT n.body, to_json(n.created_at) #>> '{}' AS created_at, n.document_paths, n.document_locations, n.is_pinned,
              to_json(n.unpin_at) #>> '{}' AS unpin_at, n.import_request_id
         FROM note n JOIN import_supplier s ON s.id = n.import_supplier_id
        WHERE s.code = $1 AND n.external_account_number = $2
        ORDER BY n.created_at, n.body`,
      [import_supplier, external_account_number],
    );
  }

  describe('what is stored', () => {
    it('attaches a note with everything that was sent (4.1, 2.3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const note = {
        body: 'Meter in the cellar',
        document_paths: PATHS,
        created_at: '2024-02-29T08:30:00Z',
        is_pinned: true,
        unpin_at: '2030-01-01T00:00:00Z',
      };
      const reply = await create(token, { ...ref, notes: [note] });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual([{ created_at: note.created_at, body: note.body, status: NEW }]);
      expect(await stored(ref)).toMatchObject([
        {
          body: note.body,
          created_at: '2024-02-29T08:30:00+00:00',
          document_paths: ['2024/letter.pdf', 'Zähler №7/scan 1.pdf'],
          is_pinned: true,
          unpin_at: '2030-01-01T00:00:00+00:00',
        },
      ]);
    });

    it('keeps the whole location of each document: bucket, document root, path (2.9, F1)', async () => {
      const world = await service.given.supplier({ document_root: 'acme/scans' });
      const { token, ref } = await service.given.importedAccount({ world });
      const { body } = await create(token, { ...ref, notes: [{ document_paths: PATHS }] });
      expect(body).toMatchObject([{ body: '', status: NEW }]);
      const [note] = await stored(ref);
      expect(note!.document_locations).toEqual([
        expect.stringMatching(/^\/.+\/documents\/acme\/scans\/2024\/letter\.pdf$/),
        expect.stringMatching(/\/acme\/scans\/Zähler №7\/scan 1\.pdf$/),
      ]);
    });

    it('dates a note without a date-time now, in whole seconds (2.3, T12)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const earliest = Math.floor(Date.now() / 1_000) * 1_000;
      const reply = await create(token, { ...ref, notes: [{ body: 'Now' }] });
      const createdAt = Date.parse(reply.body[0]!.created_at);
      expect(reply.body[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(createdAt).toBeGreaterThanOrEqual(earliest);
      expect(createdAt).toBeLessThanOrEqual(Date.now());
    });
  });

  describe('what is the same note', () => {
    it('answers that a note exists already, with the date-time of the existing one (4.1)', async () => {
      const { token, ref } = await service.given.importedAccount();
      await create(token, { ...ref, notes: [{ body: 'Once', created_at: '2020-01-01T00:00:00Z' }] });
      const reply = await create(token, { ...ref, notes: [{ body: 'Once' }] });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual([{ body: 'Once', created_at: '2020-01-01T00:00:00Z', status: THERE }]);
      expect(await stored(ref)).toHaveLength(1);
    });

    describe('within one payload', () => {
      const NOW = new Date().toISOString().replace(/\.\d+/, '');
      const [EARLIER, ZONED] = ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00'];

      beforeEach(() => {
        jest.spyOn(service.app.get(Clock, { strict: false }), 'now').mockReturnValue(new Date(NOW));
      });

      const note = (body: string, created_at?: string, ...paths: string[]): object => ({
        ...(body !== '' && { body }),
        ...(created_at !== undefined && { created_at }),
        ...(paths.length > 0 && { document_paths: paths.map((document_path) => ({ document_path })) }),
      });

      it.each<[what: string, notes: object[], statuses: (string | undefined)[]]>([
        ['other bodies', [note('a'), note('b')], [NEW, NEW]],
        ['the same body', [note('a'), note('b'), note('a')], [NEW, NEW, THERE]],
        ['the same body at the same date-time', [note('a', EARLIER), note('a', EARLIER)], [NEW, THERE]],
        ['the same date-time of another zone', [note('a', EARLIER), note('a', ZONED)], [NEW, THERE]],
        ['a later one without a date-time', [note('a', EARLIER), note('a')], [NEW, THERE]],
        ['a later one at another date-time', [note('a'), note('a', EARLIER)], [NEW, NEW]],
        ['a later one at the present date-time', [note('a'), note('a', NOW)], [NEW, THERE]],
        [
          'later ones at the present date-time and at another',
          [note('a'), note('a', NOW), note('a', EARLIER), note('a', NOW)],
          [NEW, THERE, NEW, THERE],
        ],
        [
          'one of the present date-time after one without that is not stored',
          [note('a', EARLIER), note('a'), note('a', NOW)],
          [NEW, THERE, NEW],
        ],
        ['several date-times, and none', [note('a', NOW), note('a', EARLIER), note('a')], [NEW, NEW, THERE]],
        ['the same paths', [note('', NOW, 'x', 'y'), note('', NOW, 'x', 'y')], [NEW, THERE]],
        ['the same paths in another order', [note('', NOW, 'x', 'y'), note('', NOW, 'y', 'x')], [NEW, NEW]],
        ['a body and a path of the same text', [note('x'), note('', undefined, 'x')], [NEW, NEW]],
        ['fewer paths', [note('', NOW, 'x', 'y'), note('', NOW, 'x')], [NEW, NEW]],
        ['a body that looks like paths', [note('', NOW, 'x'), note('["x"]', NOW)], [NEW, NEW]],
      ])('recognises %s, and stores what it answers (N1, N4)', async (_what, notes, expected) => {
        const { token, ref } = await service.given.importedAccount();
        expect(statuses(await create(token, { ...ref, notes }))).toEqual(expected);
        expect(await stored(ref)).toHaveLength(expected.filter((status) => status === NEW).length);
        expect(new Set(statuses(await create(token, { ...ref, notes })))).toEqual(new Set([THERE]));
      });

      it.each<[first: string | undefined, second: string | undefined, outcome: string | undefined]>([
        [undefined, NOW, THERE],
        [NOW, undefined, THERE],
        [NOW, NOW, THERE],
        [undefined, EARLIER, NEW],
        [EARLIER, NOW, NEW],
      ])(
        'decides between requests at the same moment: %s, %s: %s (4.1, N4)',
        async (first, second, outcome) => {
          for (const isExpress of [true, false]) {
            jest.spyOn(ExpressUse.prototype, 'isWorthwhile').mockReturnValue(isExpress);
            const { token, ref } = await service.given.importedAccount();
            const payloads = [[note('a', first), note('b')], [note('a', second)]];
            await using other = await service.database.connect();
            await other.query('BEGIN');
            await other.query(INSERT_NOTE, [ref.import_supplier, ref.external_account_number, 'b']);
            const replies = payloads.map(async (notes, index) => {
              await service.database.blocked(index);
              return statuses(await create(token, { ...ref, notes }));
            });
            // The first request has stored its note and waits for the other transaction; the second one waits for the first.
            await service.database.blocked(2);
            await other.query('ROLLBACK');
            expect(await Promise.all(replies)).toEqual([[NEW, NEW], [outcome]]);
            for (const [again] of payloads.toReversed())
              expect(statuses(await create(token, { ...ref, notes: [again] }))).toEqual([THERE]);
            expect(await stored(ref)).toHaveLength(outcome === NEW ? 3 : 2);
          }
        },
      );

      it('answers a repeated note without a date-time with that of the first of the payload (N4)', async () => {
        const { token, ref } = await service.given.importedAccount();
        await create(token, { ...ref, notes: [note('a', EARLIER), note('b', EARLIER)] });
        const LATER = '2024-01-01T00:00:00Z';
        const notes = [note('a', LATER), note('a'), note('b'), note('b', NOW), note('c'), note('c')];
        const { body } = await create(token, { ...ref, notes });
        expect(body.map(({ created_at }) => created_at)).toEqual([LATER, LATER, EARLIER, NOW, NOW, NOW]);
      });
    });

    it('answers in a dry run with the date-time of a note that another request stores meanwhile (4.1, R1)', async () => {
      const { token, ref } = await service.given.importedAccount();
      await using other = await service.database.connect();
      await other.query('BEGIN');
      await other.query(INSERT_NOTE, [ref.import_supplier, ref.external_account_number, 'Raced']);
      const answer = create(token, { ...ref, notes: [{ body: 'Alone' }, { body: 'Raced' }] }, '?dry_run=1');
      await service.database.blocked(1);
      await other.query('COMMIT');
      const { status, body } = await answer;
      const raced = { body: 'Raced', created_at: '2020-01-01T00:00:00Z', status: THERE };
      expect([status, body[0]!.status, body[1]]).toEqual([201, NEW, raced]);
    });

    it('distinguishes two paths from one that contains any character between them (N1)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const printable = Array.from({ length: 0x7e - 0x1f }, (_one, index) =>
        String.fromCharCode(0x20 + index),
      );
      const between = ['', ...printable.filter((character) => character !== '\\')];
      const lists = [['a', 'b'], ...between.map((separator) => [`a${separator}b`])];
      const notes = lists.map((paths) => ({
        document_paths: paths.map((document_path) => ({ document_path })),
      }));
      expect(new Set(statuses(await create(token, { ...ref, notes })))).toEqual(new Set([NEW]));
      expect(new Set((await stored(ref)).map((note) => note.document_paths.join('\n'))).size).toBe(
        lists.length,
      );
    });
  });

  describe('what is refused', () => {
    it.each([
      [{}, 'note_body_or_document_path_not_found', ''],
      [{ body: '' }, 'note_body_or_document_path_not_found', ''],
      [{ body: '', document_paths: [] }, 'note_body_or_document_path_not_found', ''],
      [{ body: 'x', document_paths: 'a.pdf' }, 'invalid', '.document_paths'],
      [{ body: 'x', document_paths: ['a.pdf'] }, 'invalid', '.document_paths.0'],
      [{ body: 'x', document_paths: [{}] }, 'required', '.document_paths.0.document_path'],
      [{ body: 'x', created_at: 1709200000 }, 'invalid', '.created_at'],
      [{ body: 'x', unpin_at: 'tomorrow' }, 'invalid', '.unpin_at'],
    ])('%j: %s (N2, T5, T8, T9, T14)', async (note, code, attr) => {
      const { token, ref } = await service.given.importedAccount();
      const reply = await create(token, { ...ref, notes: [{ body: 'fine' }, note] });
      expectInvalid(reply, [code, `notes.1${attr}`]);
      expect(await stored(ref)).toEqual([]);
    });

    it('an end of a pin before the note begins, also when nothing is pinned, and no other (N3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const note = { body: 'x', created_at: '2024-01-01T12:00:00Z', unpin_at: '2024-01-01T11:59:59Z' };
      for (const one of [note, { ...note, is_pinned: false }, { ...note, is_pinned: true }]) {
        expectError(await create(token, { ...ref, notes: [one] }), 400, 'validation_error', [
          ['note_unpin_at_earlier_than_creation_date', 'notes.0.unpin_at'],
        ]);
      }
      const fine = { ...note, unpin_at: '2024-01-01T13:00:00+01:00' };
      expect(await create(token, { ...ref, notes: [fine] })).toMatchObject({ status: 201 });
      const past = { body: 'no date-time sent', unpin_at: '2001-01-01T00:00:00Z' };
      expect(await create(token, { ...ref, notes: [past] })).toMatchObject({ status: 201 });
      expect((await stored(ref))[0]).toMatchObject({
        is_pinned: false,
        unpin_at: '2024-01-01T12:00:00+00:00',
      });
    });
  });
});
