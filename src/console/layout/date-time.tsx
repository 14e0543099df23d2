import type { VNode } from 'preact';
import { formatDay, formatMoment } from '../common/format.js';
import { usePageContext } from './page-context.js';

/** A moment in the platform's time zone. */
export function Moment({ at }: { at: Date }): VNode {
  const { timeZone } = usePageContext();
  return <time dateTime={at.toISOString()}>{formatMoment(at, timeZone)}</time>;
}

/** A calendar day. */
export function Day({ day }: { day: string }): VNode {
  return <time dateTime={day}>{formatDay(day)}</time>;
}
