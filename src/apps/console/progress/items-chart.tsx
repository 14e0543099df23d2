import type { VNode } from 'preact';
import { ITEM_NAMES } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS, countOf, countRows } from '../../../ingest/kinds/items.js';
import { counted, formatCount, formatMinute } from '../common/format.js';
import { Table, type Column } from '../layout/table.js';
import { SPANS, type ItemHistory, type ItemStep } from './progress.types.js';

/** The width of a step and the height of the drawing, which is stretched to the width of the chart. */
const [STEP, HEIGHT] = [10, 160];
/** The smallest height of a bar that is not empty, which would otherwise be invisible. */
const BAR_MIN = 1.5;

interface ChartProps {
  readonly history: ItemHistory;
  readonly timeZone: string;
}

/**
 * The rows loaded per minute, as a chart that is drawn on the server, as a text and, with the kinds of rows, as a table.
 *
 * Source: decision 15 (docs/decisions/); choice C16.
 */
export function ItemsChart({ history: { steps, span }, timeZone }: ChartProps): VNode {
  const { words, stepMinutes } = SPANS[span];
  const counts = steps.map(({ items }) => Math.max(0, countOf(items)));
  const most = Math.max(...counts);
  if (most === 0) return <p class="empty">{`Nothing was loaded in ${words}.`}</p>;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const atStep = (index: number): string => formatMinute(steps.at(index)?.at ?? new Date(0), timeZone);
  return (
    <>
      <figure class="chart">
        <p class="muted">{rateText(most, stepMinutes)}</p>
        <svg viewBox={`0 0 ${STEP * steps.length} ${HEIGHT}`} preserveAspectRatio="none" role="img">
          <title>{`Rows loaded per minute, ${words}`}</title>
          {steps.map(({ items }, index) => {
            const count = counts[index] ?? 0;
            const height = Math.max(BAR_MIN, Math.round((HEIGHT * count) / most));
            return (
              <g key={index}>
                <title>{`${atStep(index)}: ${rateText(count, stepMinutes)}${kindsText(items)}`}</title>
                <rect class="chart-step" x={index * STEP} width={STEP} height={HEIGHT} />
                {count > 0 && <rect x={index * STEP} y={HEIGHT - height} width={STEP - 2} height={height} />}
              </g>
            );
          })}
        </svg>
        <p class="chart-times">
          {[0, Math.floor(steps.length / 2), -1].map((index) => (
            <span>{atStep(index)}</span>
          ))}
        </p>
        <figcaption>
          {`${counted(all, 'row')} in ${words}. Maximum at ${atStep(counts.indexOf(most))}: ${rateText(most, stepMinutes)}.`}
        </figcaption>
      </figure>
      <details id="items-table">
        <summary>The chart as a table</summary>
        <Table
          caption={`Rows loaded in ${words}, newest first`}
          rows={steps.filter(({ items }) => countOf(items) > 0).toReversed()}
          columns={[
            { head: 'From', kind: 'row', cell: ({ at }) => formatMinute(at, timeZone) },
            ...ITEM_NAMES.map((name): Column<ItemStep> => ({
              head: ITEMS[name].label,
              kind: 'number',
              cell: ({ items }) => formatCount(items[name]),
            })),
            { head: 'All', kind: 'number', cell: ({ items }) => formatCount(countOf(items)) },
          ]}
        />
      </details>
    </>
  );
}

/** `, 2 notes, 1 transactions` */
function kindsText(items: ItemStep['items']): string {
  const kinds = countRows(items).filter(([, count]) => count > 0);
  return kinds.map(([label, count]) => `, ${formatCount(count)} ${label.toLowerCase()}`).join('');
}

/** @param rows of a step */
function rateText(rows: number, stepMinutes: number): string {
  const rate = rows / stepMinutes;
  return `${rate < 10 ? Number(rate.toFixed(1)) : formatCount(rate)} per minute`;
}
