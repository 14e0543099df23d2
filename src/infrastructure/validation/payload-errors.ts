import type { Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { ERRORS_MAX, fieldError, type FieldError } from '../errors/errors.js';
import { isTooDeep, nestedTooDeeply } from '../json/json.js';
import { fieldsPassFastPath, isObject, passesFastPath } from './fast-path.js';
import { violationsOf } from './findings.js';
import { shapeOf, type PayloadShape } from './payload-shape.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';
import { withLimits } from './satisfies.decorator.js';
import { wrongType, type Violation } from './rules/violation.js';

/**
 * The errors of a payload.
 *
 * Nearly every payload is valid, so a fast path compiled from the decorators checks it first and returns "certainly valid" or
 * "uncertain" (fast-path.ts). Only an uncertain object is passed to class-validator, without the items of its lists, which are
 * separate objects. The response contains class-validator's findings.
 *
 * @param value parsed JSON, or the query converted to the types of its class
 * @returns all errors in the order of choice T6; empty if the payload is valid
 * @throws AppError `parse_error` if the payload is nested more deeply than any valid one
 */
export function payloadErrors(type: Type<object>, value: unknown, limits: RuntimeLimits): FieldError[] {
  const errors: FieldError[] = [];
  collectErrors(shapeOf(type), value, '', limits, errors);
  if (errors.length > 0) expectShallow(value);
  return errors;
}

/** A valid value is shallow. An invalid one is checked for depth before anything descends into it recursively. */
function expectShallow(value: unknown): void {
  if (isTooDeep(value)) throw nestedTooDeeply();
}

function collectErrors(
  shape: PayloadShape,
  value: unknown,
  path: string,
  limits: RuntimeLimits,
  errors: FieldError[],
): void {
  if (errors.length > ERRORS_MAX) return;
  if (!isObject(value)) {
    errors.push(toFieldError(wrongType(value, 'an object'), path));
    return;
  }
  const violations = fieldViolations(shape, value, limits);
  const crossField = crossFieldErrors(shape, value, violations, limits);
  const addCrossField = (place: string): void => {
    for (const error of crossField?.get(place) ?? []) errors.push({ ...error, attr: join(path, error.attr) });
    crossField?.delete(place);
  };
  for (const { name, items } of shape.fields.values()) {
    const found = violations.get(name);
    if (found) errors.push(...found.map((violation) => toFieldError(violation, memberOf(path, name))));
    const list = !found && items && Object.hasOwn(value, name) ? value[name] : undefined;
    if (!items || list === undefined) continue;
    for (const [index, item] of (list as unknown[]).entries()) {
      if (!passesFastPath(items, item, limits)) {
        collectErrors(items, item, memberOf(memberOf(path, name), index), limits, errors);
      }
      if (crossField) addCrossField(memberOf(name, index));
    }
  }
  for (const name of Object.keys(value)) {
    // One more error than a response lists is enough; a body may contain a million.
    if (errors.length > ERRORS_MAX) return;
    if (!shape.fields.has(name)) errors.push(fieldError('unexpected_field', memberOf(path, name)));
  }
  for (const place of crossField?.keys() ?? []) addCrossField(place);
}

type Violations = ReadonlyMap<string, readonly Violation[]>;

const NONE: Violations = new Map();

/** class-validator's findings for the fields of one object, by field name. */
function fieldViolations(
  shape: PayloadShape,
  value: Record<string, unknown>,
  limits: RuntimeLimits,
): Violations {
  if (fieldsPassFastPath(shape, value, limits)) return NONE;
  expectShallow(value);
  const findings = withLimits(limits, () => validateSync(toInstance(shape, value), OPTIONS));
  return new Map(findings.map((finding) => [finding.property, violationsOf(finding)]));
}

const OPTIONS = { validationError: { target: false } };

/**
 * The object as an instance of its class, with only the fields that the class knows. Of a list of objects only the length is
 * kept: class-validator skips the holes of an array, and the items are validated one by one.
 */
function toInstance({ type, fields }: PayloadShape, value: Record<string, unknown>): object {
  const instance = new type() as Record<string, unknown>;
  for (const { name, items } of fields.values()) {
    if (!Object.hasOwn(value, name)) continue;
    const content = value[name];
    instance[name] =
      items && typeof content === 'object' && content !== null ? withoutItems(content) : content;
  }
  return instance;
}

/** @returns a value of the same JSON type that class-validator does not look into */
function withoutItems(content: object): object {
  return Array.isArray(content) ? new Array<unknown>(content.length) : {};
}

/**
 * The errors of the cross-field rules whose fields are all valid, by their place in the object, `field` or `list.index`, so that
 * errors of list items can be reported in the order of the items.
 *
 * @returns undefined if there are no errors
 */
function crossFieldErrors(
  shape: PayloadShape,
  value: Record<string, unknown>,
  violations: Violations,
  limits: RuntimeLimits,
): Map<string, FieldError[]> | undefined {
  let byPlace: Map<string, FieldError[]> | undefined;
  for (const { needs, errors } of shape.crossFieldRules) {
    if (violations.size > 0 && needs.some((name) => violations.has(name))) continue;
    for (const error of errors(value, limits)) {
      byPlace ??= new Map();
      const place = error.attr.split('.', 2).join('.');
      byPlace.set(place, [...(byPlace.get(place) ?? []), error]);
    }
  }
  return byPlace;
}

/** @param path of the field, or of the object itself */
function toFieldError({ code, detail, index }: Violation, path: string): FieldError {
  return fieldError(code, index === undefined ? path : memberOf(path, index), detail);
}

/** @param attr relative to the object at the path; `''` is the object itself */
function join(path: string, attr: string): string {
  return attr === '' ? path : memberOf(path, attr);
}

/** @param name any name, even an empty one: JSON allows members without a name */
function memberOf(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}
