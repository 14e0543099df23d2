import type { FormFields } from '../../console/common/parameters.js';
import { AppError } from '../../../infrastructure/errors/errors.js';
import type { BodyFormat } from './body.plugin.js';

/** No form of the console is larger: the longest contains the numbers of 100 accounts. */
export const FORM_BYTES_MAX = 65_536;

const FORM_TYPE =
  /^application\/x-www-form-urlencoded\s*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/** @throws AppError `parse_error` when a value has a character that PostgreSQL cannot store */
function parseForm(body: Buffer): FormFields {
  const fields = [...new URLSearchParams(body.toString())];
  if (fields.some(([, value]) => value.includes('\0'))) throw new AppError('parse_error');
  return Object.fromEntries(fields);
}

export const FORM: BodyFormat = { type: FORM_TYPE, parse: parseForm };
