import { fieldError, type FieldError } from '../errors/errors.js';
import {
  UNKNOWN_MAX,
  UNKNOWN_OF_OBJECT_MAX,
  type Excess,
  type JsonLimits,
  type JsonPath,
} from '../json/json-counter.js';
import { ITEM_BYTES_MAX } from './item-bytes.js';
import type { FieldShape, PayloadShape } from './payload-shape.js';
import { tooManyItems } from './rules/lists.js';

/** The smallest object of a payload, a document of a note, has 22 bytes including its comma. */
const BYTES_OF_CONTAINER_MIN = 20;

/**
 * Limits for a payload that is still arriving. A list of the payload may have as many items as its rule allows, any other list as
 * many as the payload's longest list. The number of objects and lists is limited to what the largest valid body can contain.
 *
 * @param itemsMax maximum number of items of a list without a fixed limit
 * @param bytesMax maximum size of a body
 * Source: choices T15, T19.
 */
export function jsonLimits(shape: PayloadShape, itemsMax: number, bytesMax: number): JsonLimits {
  const fields = fieldsIn(shape);
  const all = [itemsMax, ...fields.flatMap(({ itemsAllowed }) => itemsAllowed?.(itemsMax) ?? [])];
  const largest = Math.max(...all);
  return {
    smallest: Math.min(...all),
    at: (path) => allowedAt(shape, path, itemsMax) ?? largest,
    names: new Set(fields.map(({ name }) => name)),
    containers: bytesMax / BYTES_OF_CONTAINER_MIN,
    // The payload, its list, an item; or the payload itself is the item.
    itemDepth: shape.lists.length === 0 ? 1 : 3,
    itemBytes: ITEM_BYTES_MAX,
  };
}

/** The error of a request that was given up. For a list it is the same error as from the validation of its field (choices T15, T19). */
export function excessError({ path, allowed }: Excess): FieldError {
  const attr = path.join('.');
  if (allowed === undefined) return fieldError('unexpected_field', attr, TOO_MUCH);
  const { code, detail } = tooManyItems(allowed);
  return fieldError(code, attr, detail);
}

const TOO_MUCH = `There is too much that is not documented: at most ${UNKNOWN_OF_OBJECT_MAX} members of an object, ${UNKNOWN_MAX} of all.`;

/** All fields, at any level. */
function fieldsIn({ fields }: PayloadShape): FieldShape[] {
  return [...fields.values()].flatMap((field) => [field, ...(field.items ? fieldsIn(field.items) : [])]);
}

/** @returns undefined if the payload has no list at the path */
function allowedAt(shape: PayloadShape, path: JsonPath, itemsMax: number): number | undefined {
  const [name, index, ...rest] = path;
  const field = typeof name === 'string' ? shape.fields.get(name) : undefined;
  if (index === undefined) return field?.itemsAllowed?.(itemsMax);
  return field?.items && typeof index === 'number' ? allowedAt(field.items, rest, itemsMax) : undefined;
}
