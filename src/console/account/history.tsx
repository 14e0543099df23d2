import type { VNode } from 'preact';
import { DateTime } from '../layout/date-time.js';
import { Details } from '../layout/pairs.js';
import { Undone } from '../layout/undone.js';
import type { AccountPageView, ViewedEvent } from './account.types.js';
import { ListPager } from './parts.js';

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
      <ListPager view={view} list="history" page={history} of="events" />
    </>
  );
}

function Event({ event: { at, title, by, undoneAt, details } }: { event: ViewedEvent }): VNode {
  return (
    <>
      <DateTime at={at} />
      <p>
        <strong>{title}</strong>
        {by !== null && <span class="muted"> by {by}</span>}
        {undoneAt && <Undone at={undoneAt} />}
      </p>
      <Details of={details} />
    </>
  );
}
