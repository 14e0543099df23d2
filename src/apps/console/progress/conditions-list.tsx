import type { VNode } from 'preact';
import {
  causeText,
  NONE_SINCE,
  type Found,
  type Judged,
  type Standing,
} from '../../../capabilities/conditions/conditions.js';
import { ADDRESSES } from '../common/addresses.js';
import { DateTime } from '../layout/date-time.js';

/** The badge of each state. Only a supplier at which nothing is missing is green. */
const STANDINGS: Readonly<Record<Standing, readonly [badge: string, name: string]>> = {
  problem: ['failed', 'problem'],
  waiting: ['paused', 'waiting'],
  nothing_missing: ['imported', 'nothing missing'],
};

export function StandingBadge({ standing }: Pick<Judged, 'standing'>): VNode {
  const [badge, name] = STANDINGS[standing];
  return <span class={`badge badge-${badge}`}>{name}</span>;
}

/** The conditions of a supplier, a line each. */
export function ConditionsList({ code, conditions }: Pick<Judged, 'conditions'> & { code: string }): VNode {
  if (conditions.length === 0) return <p class="nothing">Nothing is missing.</p>;
  return (
    <ul class="attention">
      {conditions.map(({ state, words, page, noneSince, cause }) => (
        <li class={`attention-${state}`}>
          <ConditionLink {...{ code, words, page }} />
          {noneSince && (
            <>
              {NONE_SINCE}
              <DateTime at={noneSince} />
            </>
          )}
          {cause && causeText(cause)}.
        </li>
      ))}
    </ul>
  );
}

/** A condition in few words, with a link to its subjects. */
export function ConditionLink({
  code,
  words,
  page,
}: Pick<Found, 'words' | 'page'> & { code: string }): VNode {
  return page ? <a href={ADDRESSES[page[0]](code, page[1])}>{words}</a> : <>{words}</>;
}
