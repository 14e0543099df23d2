import type { VNode } from 'preact';
import type { ListPage } from '../common/cursor.js';

interface PagerProps<Next> {
  readonly page: Omit<ListPage<unknown, Next>, 'rows'>;
  /** The address of the page that begins with something, and of the first one. */
  readonly addressOf: (next?: Next) => string;
  readonly label?: string;
  readonly firstText?: string;
  readonly nextText?: string;
}

/** Leads to the first and to the next page of a list, when there are several. */
export function Pager<Next>({
  page: { isContinued, next },
  addressOf,
  label = 'Pages',
  firstText = 'First page',
  nextText = 'Next page',
}: PagerProps<Next>): VNode | null {
  if (!isContinued && next === undefined) return null;
  return (
    <nav class="pager" aria-label={label}>
      {isContinued && <a href={addressOf()}>{firstText}</a>}
      {next !== undefined && (
        <a href={addressOf(next)} rel="next">
          {nextText}
        </a>
      )}
    </nav>
  );
}

interface ChoicesProps<Value> {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly chosen: Value;
  /** Of the page with a choice. */
  readonly addressOf: (value: Value) => string;
}

/** Leads to the same page with another choice, such as a period of time. */
export function Choices<Value>({ label, options, chosen, addressOf }: ChoicesProps<Value>): VNode {
  return (
    <nav class="pager choices" aria-label={label}>
      {options.map(([value, text]) => (
        <a href={addressOf(value)} aria-current={value === chosen ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
