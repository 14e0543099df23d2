import type { VNode } from 'preact';
import { withQuery } from '../common/addresses.js';
import { capitalised } from '../common/format.js';
import { usePageContext } from '../layout/page-context.js';
import { Choices } from '../layout/pager.js';
import { Section } from '../layout/section.js';
import { ItemsChart } from './items-chart.js';
import { SPANS, type ItemHistory, type Span } from './progress.types.js';

const SPAN_NAMES = Object.entries(SPANS).map(
  ([span, { words }]) => [span as Span, capitalised(words)] as const,
);

/** The chart of loaded rows, with links to other spans. @param address of the page */
export function HistorySection({ history, address }: { history: ItemHistory; address: string }): VNode {
  const { timeZone } = usePageContext();
  return (
    <Section id="history" title="Rows loaded per minute">
      <Choices
        {...{ label: 'Period of the chart', options: SPAN_NAMES, chosen: history.span }}
        addressOf={(one) => chartAddress(address, one)}
      />
      <ItemsChart history={history} timeZone={timeZone} />
    </Section>
  );
}

/** The address of a page with a chart. */
export function chartAddress(address: string, span: Span): string {
  return withQuery(address, { span: span === 'hour' ? undefined : span });
}
