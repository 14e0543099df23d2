import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** A client's validator for a JSON Schema. */
export function validatorOf(schema: object): ValidateFunction {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  return ajv.compile(schema);
}
