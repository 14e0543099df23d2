import { applyDecorators } from '@nestjs/common';
import { fieldError, type FieldError } from '../errors/errors.js';
import { ApiExtension, ApiSchema } from './openapi.js';
import { CrossField } from './cross-field-rule.decorator.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';

/** The maximum size of an item in bytes, counted by {@link bytesAsRead} (choice T19). */
export const ITEM_BYTES_MAX = 262_144;

const AT_MOST = `At most ${ITEM_BYTES_MAX.toLocaleString('en')} bytes of UTF-8, escapes and blanks between members not counted.`;

/** Marks a class as an item of a payload, or as a payload that is one item. Its size limit is published and validated. */
export function Item({ description }: { description: string }): ClassDecorator {
  return applyDecorators(
    ApiSchema({ description: `${description} ${AT_MOST}` }),
    ApiExtension('x-max-bytes', ITEM_BYTES_MAX),
    CrossField({ needs: [], errors: itemErrors }) as ClassDecorator,
  );
}

function itemErrors(item: object, { hasLargeItem }: RuntimeLimits): FieldError[] {
  return hasLargeItem === true && bytesAsRead(item) > ITEM_BYTES_MAX
    ? [fieldError('max_length', '', AT_MOST)]
    : [];
}

/** The bytes of a JSON value in UTF-8 without whitespace, with each escape counted as one byte: only ASCII is still escaped. */
function bytesAsRead(value: object): number {
  const text = JSON.stringify(value);
  let bytes = Buffer.byteLength(text);
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const more = text[at + 1] === 'u' ? 5 : 1;
    bytes -= more;
    at += more + 1;
  }
  return bytes;
}
