import type { VNode } from 'preact';
import type { ListPage } from '../common/cursor.js';

interface PagerProps<Next> {
  readonly page: Omit<ListPage<unknown, Next>, 'rows'>;
  /** The address of the page that begins at `next`, or of the first page. */
  readonly addressOf: (next?: Next) => string;
  readonly label?: string;
  readonly firstText?: string;
  readonly nextText?: string;
}

/** Links to the first and the next page of a list, when there are several. */
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
  /** The address of the page with a choice. */
  readonly addressOf: (value: Value) => string;
}

/** Links to the same page with another choice, for example another period. */
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
