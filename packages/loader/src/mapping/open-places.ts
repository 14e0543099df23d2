import { OPEN } from './guess-values.js';
import type { ProposedEntry } from './propose.js';

/** The places in an entry that have to be filled in before rows are sent. */
export function openPlaces(value: unknown, place = ''): string[] {
  if (value === OPEN) return [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    openPlaces(member, place === '' ? name : `${place}.${name}`),
  );
}

/** An entry, or one of its lists, without its open parts, so that its rows can be shown. */
export function withoutOpen(part: Partial<ProposedEntry>): object {
  const { left = [], ignore = [], fields = {}, constants = {}, ...entry } = part;
  const sources = Object.entries(fields).flatMap(([field, source]) => {
    const told = closedSource(source);
    return told === undefined ? [] : [[field, told] as const];
  });
  return {
    ...entry,
    fields: Object.fromEntries<unknown>(sources),
    constants: closed(constants) as object,
    ignore: [...ignore, ...left],
  };
}

const DATE_PARTS = ['dates', 'moment', 'language', 'first_year', 'timezone', 'epoch'];

/** @returns undefined for a source whose column is open */
function closedSource(source: unknown): unknown {
  if (source === OPEN) return undefined;
  if (typeof source !== 'object' || source === null) return source;
  if ('from' in source) return withoutOpen(source as Partial<ProposedEntry>);
  if ('column' in source && source.column === OPEN) return undefined;
  const parts = Object.entries(source);
  const isOpen = parts.some(([name, part]) => DATE_PARTS.includes(name) && openPlaces(part).length > 0);
  return closed(Object.fromEntries(parts.filter(([name]) => !isOpen || !DATE_PARTS.includes(name))));
}

/** A value without open parts. Words with an open meaning stay as they are, and the rules of form reject them. */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (name === 'values') return [name, member] as const;
    return [name, name === 'words' && member === OPEN ? {} : closed(member)] as const;
  });
  return Object.fromEntries(members.filter(([, member]) => member !== OPEN));
}
