import type { VNode } from 'preact';

interface PagerProps {
  /** The first page and its text; undefined on it. */
  readonly first: string | undefined;
  /** The next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly label?: string;
  readonly firstText?: string;
  readonly nextText?: string;
}

/** Leads to the first and to the next page of a list, when there are several. */
export function Pager({
  first,
  next,
  label = 'Pages',
  firstText = 'First page',
  nextText = 'Next page',
}: PagerProps): VNode | null {
  if (first === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label={label}>
      {first !== undefined && <a href={first}>{firstText}</a>}
      {next !== undefined && (
        <a href={next} rel="next">
          {nextText}
        </a>
      )}
    </nav>
  );
}

interface Option {
  readonly text: string;
  readonly href: string;
  readonly isChosen: boolean;
}

/** Leads to the same page with another choice, such as a period of time. */
export function Choices({ label, options }: { label: string; options: readonly Option[] }): VNode {
  return (
    <nav class="pager choices" aria-label={label}>
      {options.map(({ text, href, isChosen }) => (
        <a href={href} aria-current={isChosen ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
