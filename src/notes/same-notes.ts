import { parseDateTime } from '../common/dates.js';
import type { NewNote } from './notes.types.js';

/**
 * Which notes of a payload are the same as an earlier one: those with the same body, or without one the same list of paths,
 * that came without a date-time or with the same one.
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
    // No body contains the character with which a list of paths begins.
    const content = note.body === '' ? `\0${JSON.stringify(note.documentPaths)}` : note.body;
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

/** Milliseconds since 1970 of the date-time that was sent with a note. */
export function timeOf({ sent }: NewNote): number | undefined {
  return sent.created_at === undefined ? undefined : parseDateTime(sent.created_at as string);
}
