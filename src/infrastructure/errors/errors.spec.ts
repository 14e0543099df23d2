import { AppError, ERRORS, type ErrorCode } from './errors.js';

describe('the headers of an error', () => {
  it.each(Object.entries(ERRORS) as [ErrorCode, { status: number }][])(
    'of %s tell the client what to do next, if the code determines that (T4)',
    (code, { status }) => {
      const expected: Record<number, object> = {
        401: { 'www-authenticate': 'Token' },
        503: { 'retry-after': '5' },
      };
      expect(new AppError(code).headers).toEqual(expected[status] ?? {});
    },
  );

  it('can be replaced by the code that throws the error (T4)', () => {
    const error = new AppError('service_unavailable', { headers: { 'retry-after': '7' } });
    expect(error.headers).toEqual({ 'retry-after': '7' });
  });
});
