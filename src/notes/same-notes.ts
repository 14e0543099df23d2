import { parseDateTime } from '../infrastructure/clock/dates.js';
import { NOTE } from '../ingest/kinds/note.item.js';
import { hashedContent } from '../ingest/same-items.js';
import type { KeyedNote, NewNote } from './notes.types.js';

const contentOf = hashedContent(NOTE);

/**
 * Find the notes of a payload that repeat an earlier one. A note repeats one with the same content if it has no date-time or the same
 * date-time.
 *
 * This does not decide whether a note with the current date-time repeats an earlier note without one, because the account may
 * already have the earlier note with another date-time.
 *
 * @param notes in the order of the payload
 * @returns for each note the index of the earlier note that it repeats, or its own index
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
 * Add the `key_time` to notes: `-infinity` for the first note of a content on the account, and the sent date-time for each later
 * note with that content. The primary key allows each `key_time` once per content.
 *
 * One unique index thus enforces the rules in any order, under concurrency, and whatever the clocks say. A request that stores a note
 * either has seen the first note of its content or stores it. If two concurrent requests have not seen it, only one is stored. The
 * other fails on the index, is retried, and then sees the stored note. It drops a note without a date-time, and a note with the
 * first one's date-time, which may be the current time given to a note sent without one. Two requests that have seen the first note
 * store only later notes, whose date-times are in the index. The express query treats each note as the first, so a repeat fails on the
 * index as well. An undo, during which nothing is stored, makes another note the first one ({@link UndoRepository}).
 *
 * A note with the current date-time that follows one without a date-time is new only if the other is not stored. It gets the same key,
 * so that the express query fails on the index and leaves both to the careful query.
 *
 * @param notes notes that do not repeat an earlier one ({@link repeatedNotes})
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

/** The date-time that was sent with a note, in milliseconds since 1970. */
export function timeOf({ sent }: NewNote): number | undefined {
  return sent.created_at === undefined ? undefined : parseDateTime(sent.created_at as string);
}
