import type { VNode } from 'preact';
import { DateTime } from './date-time.js';
import { Details, type Pair } from './pairs.js';

/** Something that happened to an account or a supplier. */
export interface TimelineEvent {
  readonly at: Date;
  readonly title: string;
  readonly kind: 'stored' | 'refused' | 'other';
  /** Who caused it, if known and visible to the user. */
  readonly by?: string | undefined;
  /** How it ended. */
  readonly badge?: string | undefined;
  /** When an import request was undone. */
  readonly undoneAt?: Date | undefined;
  readonly details?: readonly Pair[];
}

/** The events in their order. @param relative whether to show the age of each */
export function Timeline({
  events,
  relative,
}: {
  events: readonly TimelineEvent[];
  relative?: boolean;
}): VNode {
  return (
    <ol class="timeline">
      {events.map(({ at, title, kind, by, badge, undoneAt, details = [] }) => (
        <li class={`event-${kind}`}>
          <DateTime at={at} relative={relative} />
          <p>
            <strong>{title}</strong>
            {by !== undefined && <span class="muted"> by {by}</span>}
            {badge !== undefined && (
              <>
                {' '}
                <span class={`badge badge-${badge}`}>{badge}</span>
              </>
            )}
            {undoneAt && <Undone at={undoneAt} />}
          </p>
          <Details pairs={details} />
        </li>
      ))}
    </ol>
  );
}

/** Marks an import request that was undone (choice V7). */
export function Undone({ at }: { at: Date }): VNode {
  return (
    <>
      {' '}
      <span class="badge badge-undone">undone</span> <DateTime at={at} />
    </>
  );
}
