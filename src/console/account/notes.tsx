import type { VNode } from 'preact';
import { NOTE } from '../../items/note.item.js';
import { DateTime } from '../layout/date-time.js';
import type { AccountPageView, ViewedNote } from './account.types.js';
import { DocumentLink, Fields } from './parts.js';

/** The beginning of a longer text, in characters; the rest is opened. */
const SHOWN_CHARACTERS = 1_200;

interface NotesProps {
  readonly view: AccountPageView;
  readonly notes: readonly ViewedNote[];
  /** Classes of each. */
  readonly kind: string;
}

export function Notes({ view, notes, kind }: NotesProps): VNode {
  return (
    <>
      {notes.map((note) => (
        <article class={kind}>
          <p class="muted">
            <DateTime at={note.created_at} /> <PinnedUntil note={note} />
          </p>
          {note.body !== '' && <Body text={note.body} />}
          <Fields
            kind={NOTE}
            item={note}
            except={['body', 'document_paths', 'created_at', 'is_pinned', 'unpin_at']}
          />
          {note.document_paths.length > 0 && (
            <ul class="documents">
              {note.document_paths.map((path) => (
                <li>
                  <DocumentLink view={view} path={path} isSeen={isSeen(note, path)} />
                </li>
              ))}
            </ul>
          )}
        </article>
      ))}
    </>
  );
}

function isSeen(
  { documents_seen_at: seenAt, unseen_document_paths: unseen }: ViewedNote,
  path: string,
): boolean {
  return seenAt !== null || (unseen !== null && !unseen.includes(path));
}

/** Of a note among the others that is marked as pinned, the pin has ended. */
function PinnedUntil({ note: { is_pinned, unpin_at } }: { note: ViewedNote }): VNode | null {
  if (!is_pinned || !unpin_at) return null;
  return (
    <>
      · pinned until <DateTime at={unpin_at} />
    </>
  );
}

function Body({ text }: { text: string }): VNode {
  const start = startOf(text);
  if (start === text) return <p class="text">{text}</p>;
  return (
    <details class="long">
      <summary>
        <span class="text">{start}</span> <span class="more">… show all</span>
      </summary>
      <p class="text">{text.slice(start.length)}</p>
    </details>
  );
}

/** Without half of a character outside of the basic plane at the end. */
function startOf(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const start = text.slice(0, SHOWN_CHARACTERS);
  return start.isWellFormed() ? start : start.slice(0, -1);
}
