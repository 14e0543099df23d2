import { expectError, expectInvalid, type ErrorBody } from '../../../support/expect-error.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { noteSender } from '../../../support/note-sender.js';

const service = setUp(sharedService);
const { caller, create } = noteSender(service);

describe('field errors', () => {
  const NOTE = { body: 'x' };
  const note = (content: unknown): unknown => ({ ...caller.ref, notes: [content] });
  const noteText = (members: string): string =>
    `{"notes":[{"document_paths":[{"document_path":"a"}],${members}}],${JSON.stringify(caller.ref).slice(1)}`;
  const required = (name: string): string => `required ${name}`;

  it.each<[string, () => unknown, ...errors: string[]]>([
    ['a list as payload', () => [], 'invalid '],
    ['null as payload', () => 'null', 'null '],
    [
      'an empty payload',
      () => ({}),
      ...['import_supplier', 'external_account_number', 'notes'].map(required),
    ],
    ['null for a required field', () => ({ ...caller.ref, notes: null }), 'null notes'],
    ['null for an optional field (T9)', () => note({ body: 'x', is_pinned: null }), 'null notes.0.is_pinned'],
    [
      'an empty identifier',
      () => ({ ...caller.ref, import_supplier: '', notes: [NOTE] }),
      'blank import_supplier',
    ],
    ['an empty list', () => ({ ...caller.ref, notes: [] }), 'min_length notes'],
    ['null instead of a note', () => note(null), 'null notes.0'],
    ['an unknown field', () => ({ ...caller.ref, note: 'x', notes: [NOTE] }), 'unexpected_field note'],
    ['one of a note', () => note({ ...NOTE, Body: 'y' }), 'unexpected_field notes.0.Body'],
    ['a number that no double holds (T13)', () => noteText('"body":1e400'), 'invalid notes.0.body'],
    ['one with 17 digits', () => noteText('"is_pinned":12345678901234567'), 'invalid notes.0.is_pinned'],
    ['a NUL character (T14)', () => note({ body: 'a\0b' }), 'invalid notes.0.body'],
    ['a lone surrogate (T14)', () => note({ body: 'a\ud800' }), 'invalid notes.0.body'],
  ])('have code and path: %s (T5, T7)', async (_what, payload, ...errors) => {
    const pairs = errors.map((error) => error.split(' ') as [string, string]);
    expectError(await create(payload()), 400, 'validation_error', pairs);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])(
    'are unexpected_field for a key named %s (T8)',
    async (name) => {
      const inNote = `{"body":"x","${name}":{"polluted":true}}`;
      const payload = `{${JSON.stringify(caller.ref).slice(1, -1)},"notes":[${inNote}],"${name}":1}`;
      expectError(await create(payload), 400, 'validation_error', [
        ['unexpected_field', `notes.0.${name}`],
        ['unexpected_field', name],
      ]);
      expectInvalid(await create(note(NOTE), `?${name}=1`), ['unexpected_field', name]);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it('takes the last value of a repeated key (T13)', async () => {
    const payload = `{${JSON.stringify(caller.ref).slice(1, -1)},"notes":7,"notes":[{"body":"first","body":"last"}]}`;
    expect((await create(payload)).body).toEqual([expect.objectContaining({ body: 'last' })]);
  });

  it('are listed in the order of query parameters, then body and items (T6)', async () => {
    const payload = { ...caller.ref, notes: [{ body: 1 }, { body: 'x' }, { is_pinned: 'no', odd: 1 }] };
    expectError(await create(payload, '?dry_run=maybe&verbose=1'), 400, 'validation_error', [
      ['invalid', 'dry_run'],
      ['unexpected_field', 'verbose'],
      ['invalid', 'notes.0.body'],
      ['invalid', 'notes.2.is_pinned'],
      ['unexpected_field', 'notes.2.odd'],
      ['note_body_or_document_path_not_found', 'notes.2'],
    ]);
  });

  it.each([
    [1_000, 1_000, 'invalid'],
    [1_001, 1_001, 'too_many_errors'],
  ])('are limited: of %i errors %i are listed, the last one %s (T6)', async (wrong, listed, last) => {
    const notes = Array.from({ length: wrong }, () => ({ body: 1 }));
    const { errors } = (await create({ ...caller.ref, notes })).body as ErrorBody;
    expect(errors).toHaveLength(listed);
    expect(errors.at(-2)).toMatchObject({ code: 'invalid', attr: `notes.${listed - 2}.body` });
    expect(errors.at(-1)).toMatchObject({ code: last, attr: last === 'invalid' ? 'notes.999.body' : '' });
  });

  it('count lengths in code points, and those of paths in bytes (T14)', async () => {
    const bodies: [unknown, [string, string][]][] = [
      [{ body: '😀'.repeat(50_000) }, []],
      [{ body: '😀'.repeat(50_001) }, [['max_length', 'notes.0.body']]],
      [{ document_paths: [{ document_path: 'é'.repeat(512) }] }, []],
      [
        { document_paths: [{ document_path: `${'é'.repeat(512)}x` }] },
        [['invalid_document_path', 'notes.0.document_paths.0.document_path']],
      ],
    ];
    for (const [content, errors] of bodies) {
      const reply = await create({ ...caller.ref, notes: [content] });
      if (errors.length === 0) expect(reply.status).toBe(201);
      else expectError(reply, 400, 'validation_error', errors);
    }
    const named = (length: number): unknown => ({
      import_supplier: '😀'.repeat(length),
      external_account_number: 'x',
      notes: [{ body: 'x' }],
    });
    expectError(await create(named(128)), 404, 'account_not_found');
    expectInvalid(await create(named(129)), ['max_length', 'import_supplier']);
  });
});
