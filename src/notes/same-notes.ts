import type { NewNote } from './notes.types.js';

/** The notes of a payload without those that are the same as an earlier one. */
export interface DistinctNotes {
  readonly distinct: readonly NewNote[];
  /** For each note of the payload: the index in `distinct` of itself, or of the earlier one that it repeats. */
  readonly places: readonly { readonly index: number; readonly isRepeat: boolean }[];
}

/**
 * Leave out what a payload says twice. A note is the same as an earlier one when it has the same body, or without one the
 * same list of paths, and came without a moment or both came with the same one.
 *
 * Whether a note that came with the present moment is the same as an earlier one without any is not decided here: that
 * one may be on the account already, as a note of another moment.
 *
 * @param drafts in the order of the payload
 * Source: specification 4.1; contract N1, N4.
 */
export function distinctNotes(drafts: readonly NewNote[]): DistinctNotes {
  const distinct: NewNote[] = [];
  const indexByMoment = new Map<string, Map<number | undefined, number>>();
  const places = drafts.map((draft) => {
    const { body, documentPaths, createdAt } = draft;
    const content = body === '' ? JSON.stringify(documentPaths) : `body ${body}`;
    const moments = indexByMoment.get(content) ?? new Map<number | undefined, number>();
    const [earliest] = moments.values();
    const earlier = createdAt ? moments.get(createdAt.getTime()) : earliest;
    if (earlier !== undefined) return { index: earlier, isRepeat: true };
    const index = distinct.push(draft) - 1;
    indexByMoment.set(content, moments.set(createdAt?.getTime(), index));
    return { index, isRepeat: false };
  });
  return { distinct, places };
}
