import type { VNode } from 'preact';
import { withQuery } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import { ItemsChart } from './items-chart.js';
import { SPANS, type ItemHistory, type Span } from './progress.types.js';

/** The chart of what was loaded, with links to the other span. @param address of the page */
export function HistorySection({ history, address }: { history: ItemHistory; address: string }): VNode {
  const { timeZone } = usePageContext();
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">Items loaded a minute</h2>
      <nav class="pager spans" aria-label="Time of the chart">
        <ul>
          {(Object.keys(SPANS) as Span[]).map((span) => (
            <li key={span}>
              <a href={spanAddress(address, span)} aria-current={span === history.span ? 'true' : undefined}>
                {`${SPANS[span].words.charAt(0).toUpperCase()}${SPANS[span].words.slice(1)}`}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ItemsChart history={history} timeZone={timeZone} />
    </section>
  );
}

/** The address of a page with a chart. */
export function spanAddress(address: string, span: Span): string {
  return withQuery(address, { span: span === 'hour' ? undefined : span });
}
