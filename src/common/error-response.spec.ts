import { fromDatabase, headersOf } from './error-response.js';
import { AppError, ERRORS, type ErrorCode } from './errors.js';

describe('a failure of the database', () => {
  it('is one of the service for now, or none that this table knows (T4)', () => {
    const [outOfReach, mistake] = ['57P01', '42P01'].map((code) =>
      Object.assign(new Error('It failed.'), { code }),
    );
    expect(fromDatabase(outOfReach)).toMatchObject({ code: 'service_unavailable', cause: outOfReach });
    expect(fromDatabase(mistake)).toBeUndefined();
  });
});

describe('the headers of an error', () => {
  it.each(Object.entries(ERRORS) as [ErrorCode, { status: number }][])(
    'say of %s how to go on, where that is known beforehand (T4)',
    (code, { status }) => {
      const expected: Record<number, object> = {
        401: { 'www-authenticate': 'Token' },
        503: { 'retry-after': '5' },
      };
      expect(headersOf(new AppError(code))).toEqual(expected[status] ?? {});
    },
  );

  it('may be named by whoever knows better (T4)', () => {
    const error = new AppError('service_unavailable', { headers: { 'retry-after': '7' } });
    expect(headersOf(error)).toEqual({ 'retry-after': '7' });
  });
});
