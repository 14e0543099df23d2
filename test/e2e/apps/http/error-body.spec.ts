import { ERRORS, type ErrorCode } from '../../../../src/infrastructure/errors/errors.js';
import { expectError, expectInvalid, type ErrorBody } from '../../../support/expect-error.js';
import { type Reply } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { noteSender } from '../../../support/note-sender.js';

const BODY_LIMIT = 10 * 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };

const service = setUp(sharedService);
const { caller, create, send } = noteSender(service);

describe('the error body', () => {
  const failures: [ErrorCode, () => Promise<Reply>][] = [
    ['not_found', () => service.call('nothing/')],
    ['method_not_allowed', () => service.call('notes/create/')],
    ['not_authenticated', () => service.call('notes/create/', { method: 'POST' })],
    ['authentication_failed', () => service.post('notes/create/', 'forged', {})],
    ['payload_too_large', () => send(JSON_BODY, ' '.repeat(BODY_LIMIT + 1))],
    ['unsupported_media_type', () => send({ 'content-type': 'text/plain' }, '{}')],
    ['parse_error', () => send(JSON_BODY, '{')],
    ['validation_error', () => send(JSON_BODY, '{}')],
    [
      'account_not_found',
      () => create({ ...caller.ref, external_account_number: 'nobody', notes: [{ body: 'x' }] }),
    ],
  ];

  it.each(failures)('of %s has detail, code and errors, in JSON and UTF-8 (T2, T4)', async (code, call) => {
    const reply = await call();
    expectError(reply, ERRORS[code].status, code);
    expect(Object.keys(reply.body as ErrorBody)).toEqual(['detail', 'code', 'errors']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
    expect(reply.headers.get('www-authenticate')).toBe(reply.status === 401 ? 'Token' : null);
  });

  it('lists each field error with detail, code and attr (7.1, T7)', async () => {
    const reply = await create({ ...caller.ref, notes: [{ body: 'fine' }, { document_paths: [{}] }] });
    expectInvalid(reply, ['required', 'notes.1.document_paths.0.document_path']);
    const [error] = (reply.body as ErrorBody).errors;
    expect(Object.keys(error!)).toEqual(['detail', 'code', 'attr']);
  });
});
