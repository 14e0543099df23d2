import { fieldError, type FieldError } from '../errors.js';
import type { ItemLimits, JsonPath, LongList } from '../list-counter.js';
import type { PayloadShape } from './payload-shape.js';
import { tooManyItems } from './rules/lists.js';

/**
 * How many items the lists of a payload may have while it is still arriving: a list of the payload as many as its rule
 * says, any other one as many as the longest list of the payload.
 *
 * @param itemsMax the most items of a list that has no fixed limit
 * Source: choice T15.
 */
export function itemLimits(shape: PayloadShape, itemsMax: number): ItemLimits {
  const all = [itemsMax, ...allowedIn(shape, itemsMax)];
  const largest = Math.max(...all);
  return { smallest: Math.min(...all), at: (path) => allowedAt(shape, path, itemsMax) ?? largest };
}

/** The error of a list that was given up, as the validation of its field would answer it (choice T15). */
export function longListError({ path, allowed }: LongList): FieldError {
  const { code, detail } = tooManyItems(allowed);
  return fieldError(code, path.join('.'), detail);
}

/** What each list of a payload allows, at any level. */
function allowedIn({ fields }: PayloadShape, itemsMax: number): number[] {
  return [...fields.values()].flatMap(({ items, itemsAllowed }) => [
    ...(itemsAllowed ? [itemsAllowed(itemsMax)] : []),
    ...(items ? allowedIn(items, itemsMax) : []),
  ]);
}

/** @returns undefined where the payload has no list */
function allowedAt(shape: PayloadShape, path: JsonPath, itemsMax: number): number | undefined {
  const [name, index, ...rest] = path;
  const field = typeof name === 'string' ? shape.fields.get(name) : undefined;
  if (index === undefined) return field?.itemsAllowed?.(itemsMax);
  return field?.items && typeof index === 'number' ? allowedAt(field.items, rest, itemsMax) : undefined;
}
