import type { VNode } from 'preact';
import type { NumberedPage } from '../common/numbered-page.js';

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

/** Leads to the first and to the next page of a list in the order of the numbers of accounts. @param address of the first page */
export function NumberedPager({
  page: { next, isFirst },
  address,
}: {
  page: Pick<NumberedPage<unknown>, 'next' | 'isFirst'>;
  address: string;
}): VNode {
  const following = next === undefined ? undefined : new URLSearchParams({ after: next }).toString();
  return (
    <Pager
      first={isFirst ? undefined : address}
      next={following && `${address}${address.includes('?') ? '&' : '?'}${following}`}
    />
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
