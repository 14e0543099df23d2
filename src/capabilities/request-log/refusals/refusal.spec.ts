import type { AuthenticatedRequest } from '../../../auth/caller.js';
import {
  AppError,
  ERRORS,
  fieldError,
  validationError,
  type ErrorCode,
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

  it.each([
    [{}, false],
    [{ dry_run: 'false' }, false],
    [{ dry_run: 'perhaps' }, false],
    [{ dry_run: 'TRUE' }, true],
    [{ dry_run: '1' }, true],
  ])('says whether it was a dry run: %j (O6)', (query, isDryRun) => {
    expect(refusalOf(INVALID, { query })?.isDryRun).toBe(isDryRun);
  });

  it('has at most 256 characters of the path of a field (O6)', () => {
    const refusal = refusalOf(validationError([fieldError('unexpected_field', 'x'.repeat(1_000_000))]));
    expect(refusal?.attr).toBe('x'.repeat(256));
  });
});
