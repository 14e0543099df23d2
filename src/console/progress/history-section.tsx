import type { VNode } from 'preact';
import { withQuery } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import { Choices } from '../layout/pager.js';
import { Section } from '../layout/section.js';
import { ItemsChart } from './items-chart.js';
import { SPANS, type ItemHistory, type Span } from './progress.types.js';

interface HistoryProps {
  readonly history: ItemHistory;
  /** Of the page. */
  readonly address: string;
  /** Of a page of several suppliers: those that the chart can be of, and the code of the one that it is of, if it is not of all. */
  readonly suppliers?: readonly { readonly code: string; readonly name: string }[];
  readonly chosen?: string | undefined;
}

/** The chart of what was loaded, with links to the other spans, and to those of single suppliers. */
export function HistorySection({ history, address, suppliers = [], chosen }: HistoryProps): VNode {
  const { timeZone } = usePageContext();
  const { span } = history;
  return (
    <Section id="history" title="Rows loaded per minute">
      <Choices
        label="Period of the chart"
        options={(Object.keys(SPANS) as Span[]).map((one) => ({
          text: SPANS[one].words.replace('the', 'The'),
          href: chartAddress(address, one, chosen),
          isChosen: one === span,
        }))}
      />
      {suppliers.length > 1 && (
        <details id="chart-supplier">
          <summary>{suppliers.find(({ code }) => code === chosen)?.name ?? 'All suppliers'}</summary>
          <Choices
            label="Supplier of the chart"
            options={[{ code: undefined, name: 'All suppliers' }, ...suppliers].map(({ code, name }) => ({
              text: name,
              href: chartAddress(address, span, code),
              isChosen: code === chosen,
            }))}
          />
        </details>
      )}
      <ItemsChart history={history} timeZone={timeZone} />
    </Section>
  );
}

/** The address of a page with a chart. @param supplier of the chart, on a page of several */
export function chartAddress(address: string, span: Span, supplier?: string): string {
  return withQuery(address, { span: span === 'hour' ? undefined : span, supplier });
}
