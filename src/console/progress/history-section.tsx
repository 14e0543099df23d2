import type { VNode } from 'preact';
import { withQuery } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import { Choices } from '../layout/pager.js';
import { Section } from '../layout/section.js';
import { ItemsChart } from './items-chart.js';
import { SPANS, type ItemHistory, type Span } from './progress.types.js';

/** The chart of what was loaded, with links to the other span. @param address of the page */
export function HistorySection({ history, address }: { history: ItemHistory; address: string }): VNode {
  const { timeZone } = usePageContext();
  const options = (Object.keys(SPANS) as Span[]).map((span) => ({
    text: SPANS[span].words.replace('the', 'The'),
    href: spanAddress(address, span),
    isChosen: span === history.span,
  }));
  return (
    <Section id="history" title="Items loaded a minute">
      <Choices label="Time of the chart" options={options} />
      <ItemsChart history={history} timeZone={timeZone} />
    </Section>
  );
}

/** The address of a page with a chart. */
export function spanAddress(address: string, span: Span): string {
  return withQuery(address, { span: span === 'hour' ? undefined : span });
}
