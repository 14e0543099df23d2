import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** The errors that a client's validator finds in values, by a JSON Schema. */
export function validatorOf(schema: object): ValidateFunction {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  return ajv.compile(schema);
}
