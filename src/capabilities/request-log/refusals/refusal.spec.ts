import type { AuthenticatedRequest } from '../../../auth/caller.js';
import {
  AppError,
  ERRORS,
  fieldError,
  validationError,
  type ErrorCode,
  type FieldError,
} from '../../../infrastructure/errors/errors.js';
import { toRefusal } from './refusal.js';
import type { Refusal } from './refusal.types.js';

const NOW_MS = Date.parse('2026-11-02T08:30:00.123Z');
const CALLER = { organisationId: 'o', organisationName: 'O', apiKeyId: 'k', requestId: 'r' };
const BODY = { import_supplier: 'S', external_account_number: '1' };

interface Parts {
  readonly importKind?: string;
  readonly caller?: object;
  readonly body?: unknown;
  readonly query?: object;
}

function refusalOf(error: AppError, parts: Parts = {}): Refusal | undefined {
  const { importKind, ...request } = { importKind: 'notes', caller: CALLER, body: BODY, query: {}, ...parts };
  const routeOptions = { config: { importKind } };
  return toRefusal(error, { routeOptions, ...request } as unknown as AuthenticatedRequest, NOW_MS);
}

const INVALID = validationError([fieldError('blank', 'notes.0.body'), fieldError('null', 'notes.1.body')]);

describe('the record of a refused import request', () => {
  it('has the caller, the account, the error and its first field, and an id with the time (O6)', () => {
    expect(refusalOf(INVALID)).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      ...{ organisationId: 'o', apiKeyId: 'k', requestId: 'r', kind: 'notes', importSupplier: 'S' },
      ...{ externalAccountNumber: '1', status: 400, code: 'validation_error', isDryRun: false },
      ...{ attr: 'notes.0.body', fieldCode: 'blank' },
      items: expect.stringContaining('"at":"notes.0"') as string,
    });
    const [time, rest] = refusalOf(INVALID)!.id.split('-');
    expect(parseInt(`${time}${rest}`, 16)).toBe(NOW_MS);
    expect(refusalOf(INVALID)!.id).not.toBe(refusalOf(INVALID)!.id);
  });

  it('is made for every answer 400 and 404, and for no other (O6)', () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    const recorded = codes.filter((code) => refusalOf(new AppError(code)) !== undefined);
    expect(recorded).toEqual(codes.filter((code) => [400, 404].includes(ERRORS[code].status)));
    expect(recorded).toContain('account_not_found');
  });

  it.each<[string, Parts]>([
    ['a route that imports nothing', { importKind: undefined }],
    ['nobody', { caller: undefined }],
    ['a body that was not read', { body: undefined }],
    ['a body that is null', { body: null }],
    ['a body that is a list', { body: [BODY] }],
    ['a body without a supplier', { body: { external_account_number: '1' } }],
    ['a supplier that is not a string', { body: { ...BODY, import_supplier: 7 } }],
  ] as [string, Parts][])('is not made for %s (O6)', (_what, parts) => {
    expect(refusalOf(INVALID, parts)).toBeUndefined();
  });

  it.each([
    [{}, false],
    [{ dry_run: 'false' }, false],
    [{ dry_run: 'perhaps' }, false],
    [{ dry_run: 'TRUE' }, true],
    [{ dry_run: '1' }, true],
  ])('says whether it was a dry run: %j (O6)', (query, isDryRun) => {
    expect(refusalOf(INVALID, { query })?.isDryRun).toBe(isDryRun);
  });

  it.each<[string, unknown, string]>([
    ['none', undefined, ''],
    ['a number', 17, ''],
    ['128 characters', '😀'.repeat(128), '😀'.repeat(128)],
    ['more', '😀'.repeat(129), '😀'.repeat(128)],
    ['a text with a NUL character', 'a\0b', 'a\uFFFDb'],
    ['a text with half a character', 'a\ud83d', 'a\uFFFD'],
  ])('has an account number that PostgreSQL can store when the client sent %s (O6)', (_what, sent, kept) => {
    const refusal = refusalOf(INVALID, { body: { ...BODY, external_account_number: sent } });
    expect(refusal?.externalAccountNumber).toBe(kept);
  });

  it('has at most 256 characters of the path of a field (O6)', () => {
    const refusal = refusalOf(validationError([fieldError('unexpected_field', 'x'.repeat(1_000_000))]));
    expect(refusal?.attr).toBe('x'.repeat(256));
  });

  it.each<[string, FieldError[], object]>([
    ['another error', [fieldError('invalid', 'type')], { type: 'P' }],
    ['another field', [fieldError('invalid_choice', 'product_code')], { product_code: 'P' }],
    ['a field named similarly', [fieldError('invalid_choice', 'my_reason')], { my_reason: 'P' }],
    ['a later error', [fieldError('blank', 'x'), fieldError('invalid_choice', 'type')], { x: '', type: 'P' }],
    ['a value that is not a string', [fieldError('invalid_choice', 'type')], { type: { name: 'P' } }],
    ['a missing value', [fieldError('invalid_choice', 'items.3.type')], { items: [] }],
    ['a member of every object', [fieldError('invalid_choice', 'constructor.name.type')], {}],
  ])('has no value for %s (C9)', (_what, errors, body) => {
    expect(refusalOf(validationError(errors), { body: { ...BODY, ...body } })?.value).toBeUndefined();
  });

  it('has no field when the error has none (S8)', () => {
    const refusal = refusalOf(new AppError('account_not_found'));
    expect(refusal).toMatchObject({ status: 404, code: 'account_not_found' });
    expect([refusal?.attr, refusal?.fieldCode]).toEqual([undefined, undefined]);
  });
});
