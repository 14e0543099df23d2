import type { VNode } from 'preact';
import { Moment } from '../layout/date-time.js';
import type { AccountPageView, ListPage, ViewedNote } from './account.types.js';
import { DocumentLink, Pager } from './section.js';

/** The beginning of a longer text, in characters; the rest is opened. */
const SHOWN_CHARACTERS = 1_200;

interface NotesOptions {
  readonly view: AccountPageView;
  readonly list: 'pinned' | 'notes';
  readonly page: ListPage<ViewedNote>;
}

export function Notes({ view, list, page }: NotesOptions): VNode {
  return (
    <>
      {page.rows.map((note, index) => (
        <article class={list === 'pinned' ? 'note note-pinned' : 'note'} key={index}>
          <p class="muted">
            <Moment at={note.createdAt} /> <PinnedUntil note={note} />
          </p>
          {note.body !== '' && <Body text={note.body} />}
          {note.documents.length > 0 && (
            <ul class="documents">
              {note.documents.map((document) => (
                <li key={document.path}>
                  <DocumentLink view={view} document={document} />
                </li>
              ))}
            </ul>
          )}
        </article>
      ))}
      <Pager view={view} list={list} page={page} of={list === 'pinned' ? 'pinned notes' : 'notes'} />
    </>
  );
}

/** Of a note among the others that is marked as pinned, the pin has ended. */
function PinnedUntil({ note: { isPinned, unpinAt } }: { note: ViewedNote }): VNode | null {
  if (!isPinned || !unpinAt) return null;
  return (
    <>
      · pinned until <Moment at={unpinAt} />
    </>
  );
}

function Body({ text }: { text: string }): VNode {
  const start = startOf(text);
  if (start === text) return <p class="text">{text}</p>;
  return (
    <details class="long">
      <summary>
        <span class="text">{start}</span> <span class="more">… show all of it</span>
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
