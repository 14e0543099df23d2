import type { ComponentChildren, VNode } from 'preact';
import { DateTime } from './date-time.js';
import { usePageContext } from './page-context.js';

interface SectionProps {
  readonly id: string;
  readonly title: ComponentChildren;
  /** CSS classes of the section. */
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** A landmark with a heading (choice C5). */
export function Section({ id, title, kind, children }: SectionProps): VNode {
  return (
    <section id={id} class={kind} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      {children}
    </section>
  );
}

interface UpdatingPartProps {
  readonly id: string;
  /** The address of the page that the part is on. */
  readonly address: string;
  /** Undefined for a part that no longer changes. */
  readonly everySeconds: number | undefined;
  readonly children: ComponentChildren;
}

/**
 * A part that requests its page again and replaces itself from it; what is open in it stays open (choice C8). After two
 * failed updates it says so, with the time of what it shows (choice C14, assets/refresh.js).
 */
export function UpdatingPart({ id, address, everySeconds, children }: UpdatingPartProps): VNode {
  const { now } = usePageContext();
  if (everySeconds === undefined) return <div id={id}>{children}</div>;
  return (
    <div
      id={id}
      hx-get={address}
      hx-trigger={`every ${everySeconds}s`}
      hx-select={`#${id}`}
      hx-swap="outerMorph"
    >
      <div class="notice notice-warning stale" role="alert" hidden>
        This page could not be refreshed. It shows what was known on <DateTime at={now} />.
      </div>
      {children}
    </div>
  );
}
