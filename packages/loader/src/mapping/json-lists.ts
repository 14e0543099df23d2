import { ACCOUNT } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import { fitsOf } from './column-words.js';
import { normalised } from './synonyms.js';

/** A list of objects in a JSON document, as `records` of a mapping file names it. */
export interface JsonList {
  readonly path: string;
  /** Members of the objects around the list that could be the account, such as `^.accountNumber`. */
  readonly ofParents: readonly string[];
}

/** Signs that mean something else in a path. */
const NOT_IN_PATHS = /[.[\]^]/;

type Json = Readonly<Record<string, unknown>>;

/** Members of a document that are looked at within each other. */
const DEPTH_MAX = 12;
/** Objects of a list whose members are looked at. */
const OBJECTS_MAX = 50;

/** The lists of objects in the beginning of a JSON document, outer ones first. */
export function jsonLists(text: string): JsonList[] {
  const found = new Map<string, Set<string>>();
  const look = (value: unknown, path: string, parents: readonly Json[]): void => {
    if (parents.length > DEPTH_MAX) return;
    if (Array.isArray(value)) {
      const list = `${path}[]`;
      const objects = value.filter(isObject).slice(0, OBJECTS_MAX);
      if (objects.length === 0) return;
      const accounts = found.get(list) ?? new Set();
      found.set(list, accounts);
      if (!objects.some((one) => Object.keys(one).some(isAccount)))
        for (const account of accountsOf(parents)) accounts.add(account);
      for (const one of objects) lookInto(one, list, parents);
    } else if (isObject(value)) lookInto(value, path, parents);
  };
  const lookInto = (one: Json, path: string, parents: readonly Json[]): void => {
    for (const [name, member] of Object.entries(one))
      if (!NOT_IN_PATHS.test(name)) look(member, path === '' ? name : `${path}.${name}`, [one, ...parents]);
  };
  look(parsedStart(text), '', []);
  return Array.from(found, ([path, accounts]) => ({ path, ofParents: [...accounts] }));
}

/** The members that could be the account, of the nearest object that has one. @param parents the nearest first */
function accountsOf(parents: readonly Json[]): string[] {
  for (const [index, parent] of parents.entries()) {
    const names = Object.keys(parent).filter((name) => isAccount(name) && !isObject(parent[name]));
    if (names.length > 0) return names.map((name) => `${'^.'.repeat(index + 1)}${name}`);
  }
  return [];
}

function isAccount(name: string): boolean {
  return (
    normalised(name) === ACCOUNT ||
    KINDS.some((kind) => fitsOf(kind, name).some(({ field }) => field === ACCOUNT))
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The content of a document, of whose text the end may be missing, as far as its members are whole. */
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
    // Reading the document says where it is no JSON.
    return undefined;
  }
}
