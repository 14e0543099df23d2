import { InvalidInputError } from './errors.js';

/** A symbol, because parsed JSON cannot contain one: no data can be mistaken for a {@link JsonText}. */
const JSON_TEXT: unique symbol = Symbol('@data-import/client JSON text');

/** JSON text that is sent unchanged. */
export interface JsonText {
  readonly [JSON_TEXT]: string;
}

/**
 * Mark an item, or a whole body, that is already JSON. It is sent unchanged, so nothing in it is rounded. The client does not check
 * it: a text other than one JSON object makes the whole request a `parse_error`, or changes its meaning.
 */
export function jsonText(text: string): JsonText {
  return { [JSON_TEXT]: text };
}

/** The members of an object that are exact numbers, lists of exact numbers, or lists of objects with such members. */
export interface Shape {
  readonly numbers?: readonly string[];
  readonly numberLists?: readonly string[];
  readonly lists?: Readonly<Record<string, Shape>>;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Serialise a body to JSON. Where the shape has an exact number, text is written unchanged as a number. Everything else is
 * serialised by `JSON.stringify`.
 *
 * @throws InvalidInputError for text that is not a JSON number, and for a number that JSON does not have
 */
export function serialise(value: unknown, shape: Shape, path = ''): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return jsonOf(value) ?? 'null';
  if (JSON_TEXT in value) return value[JSON_TEXT] as string;
  if (isOrdinary(value, shape)) return JSON.stringify(value);
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    const written = serialiseMember(member, name, shape, path === '' ? name : `${path}.${name}`);
    if (written !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${written}`;
  }
  return `{${text}}`;
}

/** Whether the faster `JSON.stringify` can write the whole object: no numbers as text, and no lists that may contain some. */
function isOrdinary(value: object, { numbers = [], numberLists = [], lists = {} }: Shape): boolean {
  const members = value as Readonly<Record<string, unknown>>;
  return (
    numbers.every((name) => members[name] === undefined || Number.isFinite(members[name])) &&
    numberLists.every((name) => members[name] === undefined) &&
    Object.keys(lists).every((name) => members[name] === undefined)
  );
}

/** @returns undefined for a member that is absent */
function serialiseMember(member: unknown, name: string, shape: Shape, path: string): string | undefined {
  if (shape.numbers?.includes(name) === true) return numberOf(member, path);
  if (!Array.isArray(member)) return jsonOf(member);
  const element = elementWriter(name, shape);
  if (!element) return jsonOf(member);
  return `[${member.map((one: unknown, index) => element(one, `${path}.${index}`)).join(',')}]`;
}

function elementWriter(
  name: string,
  { numberLists = [], lists = {} }: Shape,
): ((value: unknown, path: string) => string) | undefined {
  if (numberLists.includes(name)) return (value, path) => numberOf(value, path) ?? 'null';
  const shape = Object.hasOwn(lists, name) ? lists[name] : undefined;
  return shape && ((value, path) => serialise(value, shape, path));
}

function numberOf(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') {
    if (!NUMBER.test(value)) throw new InvalidInputError(path, 'the text is not a JSON number');
    return value;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new InvalidInputError(path, 'JSON has no such number');
  }
  return jsonOf(value);
}

/** `JSON.stringify`, whose type hides that functions and `undefined` have no JSON. */
function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}
