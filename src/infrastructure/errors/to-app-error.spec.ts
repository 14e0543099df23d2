import { HttpException } from '@nestjs/common';
import { AppError } from './errors.js';
import { fromDatabase, toAppError } from './to-app-error.js';

const withCode = (code: string): Error => Object.assign(new Error('It failed.'), { code });

describe('a database error', () => {
  it('is service_unavailable if the database is unavailable, and otherwise not recognised (T4)', () => {
    const [unavailable, mistake] = [withCode('57P01'), withCode('42P01')];
    expect(fromDatabase(unavailable)).toMatchObject({ code: 'service_unavailable', cause: unavailable });
    expect(fromDatabase(mistake)).toBeUndefined();
  });
});

describe('any thrown value', () => {
  const appError = new AppError('not_found');
  const malformedType = withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE');

  it.each<[string, unknown, string]>([
    ['an error of the table', appError, 'not_found'],
    ['an error of Fastify', malformedType, 'unsupported_media_type'],
    [
      'one that Nest has wrapped',
      new HttpException('Wrapped', 415, { cause: malformedType }),
      'unsupported_media_type',
    ],
    ['an unavailable database', withCode('57P01'), 'service_unavailable'],
    ['an unknown error', new Error('Unknown'), 'error'],
    ['no error at all', undefined, 'error'],
  ])('gets a code of the table: %s (T4)', (_what, thrown, code) => {
    expect(toAppError(thrown).code).toBe(code);
  });
});
