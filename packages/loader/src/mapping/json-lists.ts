import type { ColumnSample } from './column-shapes.js';
import { isOfAccount } from './column-words.js';
import { MemberColumns } from './scan.js';

/** A list of objects in a JSON document. */
export interface JsonList {
  /** The path, as `records` in a mapping file writes it. */
  readonly path: string;
  /**
   * Members of the objects, with `total.net` for a member of a member, and members of their parents that could be the
   * account: `^.accountNumber`.
   */
  readonly columns: readonly ColumnSample[];
}

/** Characters that have another meaning in a path. */
const NOT_IN_PATHS = /[.[\]^]/;

type Json = Readonly<Record<string, unknown>>;

/** The maximum nesting that is searched. */
const DEPTH_MAX = 12;

/** The lists of objects in the beginning of a JSON document, outer ones first. */
export function jsonLists(text: string): JsonList[] {
  const found = new Map<string, MemberColumns>();
  const look = (value: unknown, path: string, parents: readonly Json[]): void => {
    if (parents.length > DEPTH_MAX) return;
    if (isObject(value)) lookInto(value, path, parents);
    if (!Array.isArray(value)) return;
    const list = `${path}[]`;
    for (const one of value.filter(isObject)) {
      const columns = found.get(list) ?? new MemberColumns();
      found.set(list, columns);
      addMembers(columns, one);
      if (!Object.keys(one).some(isOfAccount)) addAccount(columns, parents);
      lookInto(one, list, parents);
    }
  };
  const lookInto = (one: Json, path: string, parents: readonly Json[]): void => {
    for (const [name, member] of Object.entries(one))
      if (!NOT_IN_PATHS.test(name)) look(member, path === '' ? name : `${path}.${name}`, [one, ...parents]);
  };
  look(parsedStart(text), '', []);
  return Array.from(found, ([path, columns]) => ({ path, columns: columns.samples }));
}

/** Add the members of an object, and in place of an object in it the members of that. */
function addMembers(columns: MemberColumns, one: Json, within = ''): void {
  for (const [name, value] of Object.entries(one)) {
    if (isObject(value) && !NOT_IN_PATHS.test(name)) addMembers(columns, value, `${within}${name}.`);
    else addValue(columns, `${within}${name}`, value);
  }
}

/**
 * Add the account of the nearest parent that has one.
 *
 * @param parents the parents, the nearest first
 */
function addAccount(columns: MemberColumns, parents: readonly Json[]): void {
  const index = parents.findIndex((parent) => accountsIn(parent).length > 0);
  const parent = parents[index] ?? {};
  for (const name of accountsIn(parent)) addValue(columns, `${'^.'.repeat(index + 1)}${name}`, parent[name]);
}

function addValue(columns: MemberColumns, name: string, value: unknown): void {
  if (typeof value === 'string') columns.add(name, value, 'text');
  else columns.add(name, typeof value === 'number' ? String(value) : undefined, 'number');
}

function accountsIn(parent: Json): string[] {
  return Object.keys(parent).filter((name) => isOfAccount(name) && typeof parent[name] !== 'object');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parse the beginning of a document whose end may be missing. Only complete members are returned. */
function parsedStart(text: string): unknown {
  const open: string[] = [];
  let [end, closing] = [0, ''];
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gs)) {
    if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign === ',') [end, closing] = [index, open.toReversed().join('')];
    else if (sign === '}' || sign === ']') {
      open.pop();
      if (open.length > 0) continue;
      [end, closing] = [index + 1, ''];
      break;
    }
  }
  try {
    return JSON.parse(`${text.slice(0, end)}${closing}`);
  } catch {
    // A document that is not JSON is reported when it is read.
    return undefined;
  }
}
