import type { Reply } from './service.js';

/** The body of every error. */
export interface ErrorBody {
  detail: string;
  code: string;
  errors: { detail: string; code: string; attr: string }[];
}

/** Expect the usual error body with this status and code. With `errors`, also compare `code` and `attr` of each element. */
export function expectError(
  reply: Reply,
  status: number,
  code: string,
  errors?: readonly (readonly [code: string, attr: string])[],
): void {
  const body = reply.body as ErrorBody;
  expect({ status: reply.status, code: body.code }).toEqual({ status, code });
  expect(typeof body.detail).toBe('string');
  expect(Array.isArray(body.errors)).toBe(true);
  if (errors) expect(body.errors.map((error) => [error.code, error.attr])).toEqual(errors);
}

/** Expect a validation error with these errors: code and path of each. */
export function expectInvalid(
  reply: Reply,
  ...errors: readonly (readonly [code: string, attr: string])[]
): void {
  expectError(reply, 400, 'validation_error', errors);
}
