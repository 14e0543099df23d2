import type { VNode } from 'preact';
import { formatDay, formatZonedDateTime } from '../common/format.js';
import { usePageContext } from './page-context.js';

/** A date-time in the platform's time zone. */
export function DateTime({ at }: { at: Date }): VNode {
  const { timeZone } = usePageContext();
  return <time dateTime={at.toISOString()}>{formatZonedDateTime(at, timeZone)}</time>;
}

/** A calendar day. */
export function Day({ day }: { day: string }): VNode {
  return <time dateTime={day}>{formatDay(day)}</time>;
}
