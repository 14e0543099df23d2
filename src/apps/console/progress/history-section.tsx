import type { VNode } from 'preact';
import { withQuery } from '../common/addresses.js';
import { capitalised } from '../common/format.js';
import { usePageContext } from '../layout/page-context.js';
import { Choices } from '../layout/pager.js';
import { Section } from '../layout/section.js';
import { ItemsChart } from './items-chart.js';
import { SPANS, type ItemHistory, type Span } from './progress.types.js';

interface HistoryProps {
  readonly history: ItemHistory;
  /** The address of the page. */
  readonly address: string;
  /** On a page of several suppliers: the suppliers to choose from, and the code of the chosen one; undefined for all. */
  readonly suppliers?: readonly { readonly code: string; readonly name: string }[];
  readonly chosen?: string | undefined;
}

const SPAN_NAMES = Object.entries(SPANS).map(
  ([span, { words }]) => [span as Span, capitalised(words)] as const,
);

/** The chart of loaded rows, with links to other spans and to single suppliers. */
export function HistorySection({ history, address, suppliers = [], chosen }: HistoryProps): VNode {
  const { timeZone } = usePageContext();
  const { span } = history;
  return (
    <Section id="history" title="Rows loaded per minute">
      <Choices
        {...{ label: 'Period of the chart', options: SPAN_NAMES, chosen: span }}
        addressOf={(one) => chartAddress(address, one, chosen)}
      />
      {suppliers.length > 1 && (
        <details id="chart-supplier">
          <summary>{suppliers.find(({ code }) => code === chosen)?.name ?? 'All suppliers'}</summary>
          <Choices
            label="Supplier of the chart"
            options={[
              [undefined, 'All suppliers'],
              ...suppliers.map(({ code, name }) => [code, name] as const),
            ]}
            chosen={chosen}
            addressOf={(code) => chartAddress(address, span, code)}
          />
        </details>
      )}
      <ItemsChart history={history} timeZone={timeZone} />
    </Section>
  );
}

/** The address of a page with a chart. @param supplier of the chart, on a page of several suppliers */
export function chartAddress(address: string, span: Span, supplier?: string): string {
  return withQuery(address, { span: span === 'hour' ? undefined : span, supplier });
}
