import type { ValidationError } from 'class-validator';
import type { FieldErrorCode } from '../errors/errors.js';
import { SATISFIES } from './satisfies.decorator.js';
import { NULL, REQUIRED, type Violation } from './rules/violation.js';

/** Error codes for class-validator's own constraints. If several fail for one field, the first one in this table counts. */
const CODES: Readonly<Record<string, FieldErrorCode>> = {
  isBoolean: 'invalid',
  isObject: 'invalid',
  isInt: 'invalid',
  min: 'min_value',
  max: 'max_value',
};

/** class-validator's findings for one field, with the codes of choice T5. */
export function violationsOf({ property, value, constraints = {} }: ValidationError): readonly Violation[] {
  if (value === undefined) return [REQUIRED];
  if (value === null) return [NULL];
  const message = constraints[SATISFIES];
  if (message !== undefined) return [JSON.parse(message) as Violation | Violation[]].flat();
  for (const [name, code] of Object.entries(CODES)) {
    const detail = constraints[name];
    if (detail !== undefined) return [{ code, detail }];
  }
  throw new Error(`No code is known for ${Object.keys(constraints).join(', ')} of ${property}.`);
}
