import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** What a client's validator makes of values, by a JSON Schema. */
export function validatorOf(schema: object): ValidateFunction {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  return ajv.compile(schema);
}
