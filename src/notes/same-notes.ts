import { parseDateTime } from '../infrastructure/clock/dates.js';
import { NOTE } from '../ingest/kinds/note.item.js';
import { hashedContent } from '../ingest/same-items.js';
import type { KeyedNote, NewNote } from './notes.types.js';

const contentOf = hashedContent(NOTE);

/**
 * Which notes of a payload are the same as an earlier one: those with the same content that came without a date-time or with the same
 * one.
 *
 * Whether a note that came with the present date-time is the same as an earlier one without any is not decided here: that one
 * may be on the account already, with another date-time.
 *
 * @param notes in the order of the payload
 * @returns for each note the index of the earlier one that it repeats, or its own
 * Source: specification 4.1; choices N1, N4.
 */
export function repeatedNotes(notes: readonly NewNote[]): number[] {
  const distinct = new Map<string, Map<number | undefined, number>>();
  return notes.map((note, index) => {
    const content = contentOf(note);
    const same = distinct.get(content);
    if (!same) {
      distinct.set(content, new Map([[timeOf(note), index]]));
      return index;
    }
    const time = timeOf(note);
    const [earliest] = same.values();
    const repeated = time === undefined ? earliest : same.get(time);
    if (repeated === undefined) same.set(time, index);
    return repeated ?? index;
  });
}

/**
 * Notes with their `key_time`, of which the primary key allows one of each content: `-infinity` for the first note of its content on the
 * account, for each further one the date-time that was sent.
 *
 * So one index keeps every promise, in any order and also at the same moment, whatever the clocks say. Whoever stores a note has seen
 * the first one of its content, or stores it. Of two requests at once that have not seen it only one is stored; the other one meets
 * the index, looks again and then sees what is there: it drops a note without a date-time, and one with the date-time of the first,
 * which may be the present one of a note without any. Two that have seen it store further notes only, of which the index has
 * the date-times. A repeat by the express query, which takes each note for the first, meets the index as well. An undo, beside which nothing is
 * stored, makes another note the first one ({@link UndoRepository}).
 *
 * A note of the present moment after one without a date-time is new only where that one is not stored. It takes the same key, so that
 * the express query meets the index and leaves them to the careful one.
 *
 * @param notes those that repeat no earlier one ({@link repeatedNotes})
 * @param now the date-time of notes that are sent without one
 * Source: choice N4.
 */
export function keyed(notes: readonly NewNote[], now: Date): KeyedNote[] {
  const firsts = new Map<string, NewNote>();
  return notes.map((note) => {
    const content = contentOf(note);
    const first = firsts.get(content);
    if (!first) firsts.set(content, note);
    const time = timeOf(note);
    const isFurther = first && time !== undefined && (timeOf(first) !== undefined || time !== now.getTime());
    return { ...note, keyTime: isFurther ? new Date(time).toISOString() : '-infinity' };
  });
}

/** Milliseconds since 1970 of the date-time that was sent with a note. */
export function timeOf({ sent }: NewNote): number | undefined {
  return sent.created_at === undefined ? undefined : parseDateTime(sent.created_at as string);
}
