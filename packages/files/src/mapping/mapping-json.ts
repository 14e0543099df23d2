import { WrongUsage } from '../common/errors.js';
import { unknownName } from '../common/near-matches.js';
import { entryName } from './entry-use.js';
import type { MappedValue } from '../values/field-value.js';

/** @throws WrongUsage that names the place, like the other functions of this file */
export function object(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new WrongUsage(`${place} must be an object.`);
}

/** Read an object that has only known members. */
export function objectOf(value: unknown, known: readonly string[], place: string): Record<string, unknown> {
  const content = object(value, place);
  for (const name of Object.keys(content)) {
    if (known.includes(name)) continue;
    throw unknownName(`${place}: ${name} is not known.`, name, known);
  }
  return content;
}

export function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new WrongUsage(`${place} must be a text.`);
}

export function scalar(value: unknown, place: string): MappedValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  throw new WrongUsage(`${place} must be a text, a number, true or false.`);
}

/** Read a list of texts. With `isOne`, a single text counts as a list of one. */
export function texts(value: unknown, place: string, isOne = false): string[] {
  if (isOne && typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw new WrongUsage(`${place} must be a list of texts.`);
  return value.map((item, index) => text(item, `${place}.${index}`));
}

/** Read one of a few values. */
export function oneOf<Value extends string | number | boolean>(
  value: unknown,
  known: readonly Value[],
  place: string,
): Value {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw notOneOf(known, place);
}

export function notOneOf(known: readonly MappedValue[], place: string): WrongUsage {
  return new WrongUsage(`${place} must be ${known.map((one) => JSON.stringify(one)).join(' or ')}.`);
}

export function wholeNumber(value: unknown, min: number, max: number, place: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new WrongUsage(`${place} must be a whole number from ${min} to ${max}.`);
}

/**
 * Read a member of an object.
 *
 * @returns undefined if the object does not have it
 */
export function optional<Value>(
  content: Record<string, unknown>,
  name: string,
  place: string,
  read: (value: unknown, at: string) => Value,
): Value | undefined {
  const value = content[name];
  return value === undefined ? undefined : read(value, `${place}.${name}`);
}

/** Read each member of an object. */
export function mapOf<Value>(
  value: unknown,
  place: string,
  read: (value: unknown, at: string) => Value,
): Map<string, Value> {
  return new Map(
    Object.entries(object(value, place)).map(([name, member]) => [name, read(member, `${place}.${name}`)]),
  );
}

/**
 * Parse the content of a mapping file.
 *
 * @throws WrongUsage that says where the content is not JSON
 */
export function parsed(content: string, file: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new WrongUsage(`${file} is not JSON${placeOf(error as Error, content)}.`, {
      cause: error,
    });
  }
}

/** @throws WrongUsage that names every place of a mapping file which a person has to fill in */
export function expectFilledIn(content: string, file: string): void {
  const open: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (value === '?') open.push(place);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const isEntry = place === 'files' && Array.isArray(value);
      look(member, isEntry ? entryName(member, Number(name) + 1) : place === '' ? name : `${place}.${name}`);
    }
  };
  look(parsed(content, file), '');
  if (open.length === 0) return;
  const places = open.length === 1 ? 'one place' : `${open.length} places`;
  throw new WrongUsage(
    `${file} has "?" in ${places}, where you have to say what is meant:\n${open.map((place) => `  ${place}`).join('\n')}`,
  );
}

/** The place at which JSON cannot be parsed. The rest of Node.js's message differs between versions. */
function placeOf({ message }: Error, content: string): string {
  const [, at = message.includes('end of JSON') ? content.length : NaN] =
    /position (\d+)/.exec(message) ?? [];
  const lines = content.slice(0, Number(at)).split('\n');
  return Number.isNaN(Number(at))
    ? ''
    : `: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
