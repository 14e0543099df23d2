import type { VNode } from 'preact';
import { formatDay, formatZonedDateTime } from '../common/format.js';
import { usePageContext } from './page-context.js';

interface DateTimeProps {
  readonly at: Date | null;
  /** What stands where there is none. */
  readonly none?: string;
}

/** A date-time in the platform's time zone. */
export function DateTime({ at, none }: DateTimeProps): VNode {
  const { timeZone } = usePageContext();
  if (!at) return <>{none}</>;
  return <time dateTime={at.toISOString()}>{formatZonedDateTime(at, timeZone)}</time>;
}

/** A calendar day. */
export function Day({ day }: { day: string }): VNode {
  return <time dateTime={day}>{formatDay(day)}</time>;
}
