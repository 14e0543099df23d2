import { isCalendarDay } from '../../common/dates.js';

/** As PostgreSQL writes one. */
const TIMESTAMP =
  /^\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d){0,2}$/;

/** What a value of a place may be: an address may be made up, and PostgreSQL must not fail at it. */
const KINDS = {
  day: (text: string): boolean => text === 'infinity' || isCalendarDay(text),
  moment: (text: string): boolean =>
    text === 'infinity' || (TIMESTAMP.test(text) && isCalendarDay(text.slice(0, 10))),
  text: (text: string): boolean => text.length <= 256 && text.isWellFormed() && !text.includes('\0'),
  hash: (text: string): boolean => /^([0-9a-f]{64})?$/.test(text),
  number: (text: string): boolean => /^\d{1,16}$/.test(text),
  uuid: (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
} as const;

/** The values by which a list is ordered, and the place before its first row. */
export interface Order {
  readonly kinds: readonly (keyof typeof KINDS)[];
  readonly start: readonly string[];
}

export const ORDERS = {
  transactions: { kinds: ['day', 'text', 'number'], start: ['infinity', '', '0'] },
  statements: { kinds: ['day', 'text'], start: ['infinity', ''] },
  instructions: { kinds: ['moment', 'text', 'hash'], start: ['infinity', '', ''] },
  notes: { kinds: ['moment', 'hash'], start: ['infinity', ''] },
  history: { kinds: ['uuid'], start: ['ffffffff-ffff-ffff-ffff-ffffffffffff'] },
} as const satisfies Record<string, Order>;

/** A place as a parameter of an address. */
export function encodePlace(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @returns the start of the list when the parameter is missing or not a place in it */
export function decodePlace({ kinds, start }: Order, parameter: string | undefined): readonly string[] {
  if (parameter === undefined) return start;
  try {
    const place: unknown = JSON.parse(Buffer.from(parameter, 'base64url').toString());
    return isPlace(place, kinds) ? place : start;
  } catch {
    return start;
  }
}

function isPlace(place: unknown, kinds: Order['kinds']): place is string[] {
  if (!Array.isArray(place) || place.length !== kinds.length) return false;
  return kinds.every((kind, index) => typeof place[index] === 'string' && KINDS[kind](place[index]));
}
