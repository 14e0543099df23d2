import { validateSync } from 'class-validator';
import { AppError, ERRORS_MAX, fieldError, type FieldError } from '../errors.js';
import { isTooDeep } from '../json.js';
import { withContext } from './field.decorators.js';
import { shapeOf, type PayloadClass, type PayloadShape } from './payload-shape.js';
import { notOfType, type RuleContext } from './rules.js';

/**
 * What is wrong with a payload.
 *
 * Nearly everything in a payload is right, so a quick look comes first: it walks the compiled shape and says "surely
 * right" or "not surely". Only what is doubtful, a single item of a list if it is only that, goes through class-validator,
 * which decides and whose findings become the errors. The quick look never accepts what class-validator refuses.
 *
 * @param value parsed JSON, or the query converted to the types of its class
 * @returns all errors in the order of contract T6, none when the payload is right
 * @throws AppError `parse_error` when the payload nests more deeply than any that could be right
 */
export function payloadErrors(type: PayloadClass, value: unknown, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  withContext(context, () => {
    explain(shapeOf(type), value, '', context, errors);
  });
  if (errors.length > 0) expectShallow(value);
  return errors;
}

/** What is right is shallow; what is not must be before anything follows it to its ground. */
function expectShallow(value: unknown): void {
  if (isTooDeep(value)) throw new AppError('parse_error', { detail: 'The request body nests too deeply.' });
}

function isSurelyRight(shape: PayloadShape, value: unknown, context: RuleContext): boolean {
  if (!isObject(value) || !areFieldsRight(shape, value, context)) return false;
  for (const { name, items } of shape.lists) {
    // The rule of a list has just said that this is one.
    for (const item of (value[name] ?? []) as unknown[]) {
      if (!isSurelyRight(items, item, context)) return false;
    }
  }
  for (const check of shape.checks) {
    if (check.errors(value).length > 0) return false;
  }
  return true;
}

/** Whether all that is sent is known and surely right, but for the items of lists, and nothing is missing. */
function areFieldsRight(shape: PayloadShape, value: Record<string, unknown>, context: RuleContext): boolean {
  for (const name of Object.keys(value)) {
    const field = shape.fields.get(name);
    const content = value[name];
    if (field === undefined || content === undefined || field.rule.violation(content, context) !== undefined)
      return false;
    if (field.rule.each !== undefined) {
      for (const item of content as unknown[]) {
        if (field.rule.each.violation(item, context) !== undefined) return false;
      }
    }
  }
  for (const name of shape.required) {
    if (!Object.hasOwn(value, name)) return false;
  }
  return true;
}

function explain(
  shape: PayloadShape,
  value: unknown,
  path: string,
  context: RuleContext,
  errors: FieldError[],
): void {
  if (errors.length > ERRORS_MAX) return;
  if (!isObject(value)) {
    const { code, detail } = notOfType(value, 'an object');
    errors.push(fieldError(code, path, detail));
    return;
  }
  const wrong = wrongFields(shape, value, context);
  const checks = checkErrors(shape, value, wrong);
  for (const field of shape.fields.values()) {
    const content = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    const attrOf = (index: number): string => join(join(path, field.name), index);
    if (wrong.has(field.name)) {
      const violation =
        content === undefined ? { code: 'required' as const } : field.rule.violation(content, context);
      if (violation) errors.push(fieldError(violation.code, join(path, field.name), violation.detail));
    } else if (field.rule.each !== undefined && content !== undefined) {
      for (const [index, item] of (content as unknown[]).entries()) {
        const violation = field.rule.each.violation(item, context);
        if (violation) errors.push(fieldError(violation.code, attrOf(index), violation.detail));
      }
    } else if (field.items !== undefined && content !== undefined) {
      for (const [index, item] of (content as unknown[]).entries()) {
        if (!isSurelyRight(field.items, item, context))
          explain(field.items, item, attrOf(index), context, errors);
        if (!checks) continue;
        const ofItem = join(field.name, index);
        for (const error of checks.get(ofItem) ?? []) errors.push({ ...error, attr: join(path, error.attr) });
        checks.delete(ofItem);
      }
    }
  }
  for (const name of Object.keys(value)) {
    // One more than are told is enough to say so; a body has room for a million.
    if (errors.length > ERRORS_MAX) return;
    if (!shape.fields.has(name)) errors.push(fieldError('unexpected_field', memberOf(path, name)));
  }
  for (const ofItem of checks?.values() ?? []) {
    for (const error of ofItem) errors.push({ ...error, attr: join(path, error.attr) });
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The fields that class-validator refuses; it is not asked of a list's owner for the sake of an item. */
function wrongFields(
  shape: PayloadShape,
  value: Record<string, unknown>,
  context: RuleContext,
): ReadonlySet<string> {
  if (areFieldsRight(shape, value, context)) return NONE;
  expectShallow(value);
  return new Set(validateSync(toInstance(shape, value)).map(({ property }) => property));
}

/**
 * What the rules say that see several fields or items, by the list item it is said of, so that it can be told in the
 * order of the items; nothing when they say nothing.
 */
function checkErrors(
  shape: PayloadShape,
  value: Record<string, unknown>,
  wrong: ReadonlySet<string>,
): Map<string, FieldError[]> | undefined {
  let byItem: Map<string, FieldError[]> | undefined;
  for (const { needs, errors } of shape.checks) {
    if (wrong.size > 0 && needs.some((name) => wrong.has(name))) continue;
    for (const error of errors(value)) {
      byItem ??= new Map();
      const item = error.attr.split('.', 2).join('.');
      byItem.set(item, [...(byItem.get(item) ?? []), error]);
    }
  }
  return byItem;
}

/**
 * The object as class-validator wants it: of its class, with what it knows and nothing else. A list keeps its length only,
 * for its items are validated one by one.
 */
function toInstance({ type, fields }: PayloadShape, value: Record<string, unknown>): object {
  const instance = new type() as Record<string, unknown>;
  for (const { name, items } of fields.values()) {
    if (!Object.hasOwn(value, name)) continue;
    const content = value[name];
    instance[name] =
      items !== undefined && Array.isArray(content) ? new Array<unknown>(content.length) : content;
  }
  return instance;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param part `''` for the thing at the path itself */
function join(path: string, part: string | number): string {
  return part === '' ? path : memberOf(path, part);
}

/** @param name any, the empty one too: JSON knows members without a name */
function memberOf(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}
