import { describeError } from './logger.js';

describe('a logged error', () => {
  it('has its message and place, but neither the rejected row nor the query and its parameters (T3)', () => {
    const refused = Object.assign(new Error('new row violates a check'), {
      code: '23514',
      table: 'note',
      constraint: 'note_check',
      detail: 'Failing row contains (secret).',
      where: 'COPY note, line 1: "secret"',
      hint: 'secret',
      query: `INSERT INTO note VALUES ('secret')`,
      parameters: ['secret'],
    });
    const failed = Object.assign(new Error('The import failed.', { cause: refused }), { body: 'secret' });
    expect(describeError(failed)).toEqual({
      name: 'Error',
      message: 'The import failed.',
      stack: failed.stack,
      cause: {
        name: 'Error',
        message: 'new row violates a check',
        code: '23514',
        table: 'note',
        constraint: 'note_check',
        stack: refused.stack,
      },
    });
  });

  it('is limited if the error is its own cause (T3)', () => {
    const error = new Error('again and again');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/"message":"again and again"/g)).toHaveLength(6);
  });

  it.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [{ body: 'secret' }, '[object Object]'],
  ])('is only a message if %j was thrown (T3)', (thrown, message) => {
    expect(describeError(thrown)).toEqual({ message });
  });
});
