import type { VNode } from 'preact';
import { NOTE } from '../../../ingest/kinds/note.item.js';
import { counted } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import type { Page } from '../layout/page.js';
import { belowAccount, noteAddress } from './account-addresses.js';
import type { AccountName, ItemPageView, ViewedNote } from './account.types.js';
import type { WithCursor } from './item-list.js';
import { DocumentLink, Fields } from './parts.js';

interface NotesProps {
  readonly view: AccountName;
  readonly notes: readonly WithCursor<ViewedNote>[];
  /** CSS classes of each note. */
  readonly kind: string;
}

/** The notes of a list; a long one is cut. */
export function Notes({ view, notes, kind }: NotesProps): VNode {
  return (
    <>
      {notes.map((note) => (
        <article class={kind}>
          <Note view={view} note={note} />
          {(note.isLong || note.document_count > note.document_paths.length) && (
            <a href={noteAddress(view.supplier.code, view.accountNumber, note.cursor)}>The whole note</a>
          )}
        </article>
      ))}
    </>
  );
}

/** A complete note (choice C5). */
export function notePage(view: ItemPageView<ViewedNote>): Page {
  return {
    title: 'Note',
    ...belowAccount(view),
    body: (
      <article class="note">
        <Note view={view} note={view.item} />
      </article>
    ),
  };
}

function Note({ view, note }: { view: AccountName; note: ViewedNote }): VNode {
  const { body, document_paths: paths, documents_seen_at: seenAt, unseen_document_paths } = note;
  const unseen = new Set(unseen_document_paths);
  const isLookedUp = seenAt !== null || unseen_document_paths !== null;
  const more = note.document_count - paths.length;
  return (
    <>
      <p class="muted">
        <DateTime at={note.created_at} /> <PinnedUntil note={note} />
      </p>
      {body !== '' && <p class="text">{body}</p>}
      <Fields
        kind={NOTE}
        item={note}
        except={['body', 'document_paths', 'created_at', 'is_pinned', 'unpin_at']}
      />
      {paths.length > 0 && (
        <ul class="documents">
          {paths.map((path) => (
            <li>
              <DocumentLink view={view} path={path} isSeen={isLookedUp && !unseen.has(path)} />
            </li>
          ))}
          {more > 0 && <li>{`and ${counted(more, 'more document')}`}</li>}
        </ul>
      )}
    </>
  );
}

/** A note in the other list that is marked as pinned was pinned until this time. */
function PinnedUntil({ note: { is_pinned, unpin_at } }: { note: ViewedNote }): VNode | null {
  if (!is_pinned || !unpin_at) return null;
  return (
    <>
      · pinned until <DateTime at={unpin_at} />
    </>
  );
}
