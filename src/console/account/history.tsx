import type { VNode } from 'preact';
import { Moment } from '../layout/date-time.js';
import { Undone } from '../layout/undone.js';
import type { AccountPageView, ViewedEvent } from './account.types.js';
import { Details, Pager } from './section.js';

export function History({ view }: { view: AccountPageView }): VNode {
  const { history } = view;
  return (
    <>
      <ol class="timeline">
        {history.rows.map((event, index) => (
          <li key={index} class={`event-${event.kind}`}>
            <Event event={event} />
          </li>
        ))}
      </ol>
      <Pager view={view} list="history" page={history} of="events" />
    </>
  );
}

function Event({ event: { at, title, by, undoneAt, details } }: { event: ViewedEvent }): VNode {
  return (
    <>
      <Moment at={at} />
      <p>
        <strong>{title}</strong>
        {by !== null && <span class="muted"> by {by}</span>}
        {undoneAt && <Undone at={undoneAt} />}
      </p>
      <Details of={details} />
    </>
  );
}
