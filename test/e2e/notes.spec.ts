import { expectError } from '../support/expect-error.js';
import { startService, type TestService } from '../support/service.js';

interface NoteResult {
  created_at: string;
  body: string;
  status: string;
}

describe('POST notes/create/', () => {
  let service: TestService;
  const create = (
    token: string,
    payload: unknown,
    query = '',
  ): ReturnType<typeof service.post<NoteResult[]>> =>
    service.post<NoteResult[]>(`notes/create/${query}`, token, payload);

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    await service.stop();
  });

  it('attaches a note to an imported account (4.1)', async () => {
    const { token, ref } = await service.given.importedAccount();
    const note = { body: 'Meter in the cellar', created_at: '2024-02-29T08:30:00Z' };
    const reply = await create(token, { ...ref, notes: [note] });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual([{ ...note, status: 'NOTE_CREATION_SUCCESS' }]);
  });

  it('keeps a staged account closed to notes (S8)', async () => {
    const { token, ref } = await service.given.stagedAccount();
    const reply = await create(token, { ...ref, notes: [{ body: 'Meter in the cellar' }] });
    expectError(reply, 404, 'account_not_found');
  });

  it('answers that a note is there already when its body is (4.1)', async () => {
    const { token, ref } = await service.given.importedAccount();
    const first = await create(token, { ...ref, notes: [{ body: 'Once' }] });
    const second = await create(token, { ...ref, notes: [{ body: 'Once' }] });
    expect(second.status).toBe(201);
    expect(second.body).toEqual([{ ...first.body[0], status: 'NOTE_ALREADY_EXISTS' }]);
  });
});
