import type { VNode } from 'preact';
import { formatAge, formatDay, formatZonedDateTime } from '../common/format.js';
import { usePageContext } from './page-context.js';

interface DateTimeProps {
  readonly at: Date | null;
  /** Shown when there is no time. */
  readonly none?: string;
  /**
   * Whether to show the age, when it matters more than the day. The exact time is shown at the pointer or the focus, on
   * paper, and when the page is old (console.css, assets/times.js).
   */
  readonly relative?: boolean;
}

/** A date-time in the time zone of the page (choice C7). */
export function DateTime({ at, none, relative = false }: DateTimeProps): VNode {
  const { timeZone, now } = usePageContext();
  if (!at) return <>{none}</>;
  const exact = formatZonedDateTime(at, timeZone);
  if (!relative) return <time dateTime={at.toISOString()}>{exact}</time>;
  return (
    <time class="age" dateTime={at.toISOString()} title={exact} tabIndex={0}>
      <span>{formatAge(at, now)}</span>
    </time>
  );
}

/** A calendar day. */
export function Day({ day }: { day: string }): VNode {
  return <time dateTime={day}>{formatDay(day)}</time>;
}
