import type { VNode } from 'preact';
import { counted, formatCount, formatMinute, formatTime } from '../common/format.js';
import { Table, type Column } from '../layout/table.js';
import { dayLabels, dayOf, scaleTop, timeLabels, type AxisLabel } from './chart-axis.js';
import { SPANS, type ItemHistory, type ItemStep } from './progress.types.js';
import { ITEM_NAMES, forEachItem, type ItemName } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS, countOf } from '../../../ingest/kinds/items.js';

/** In pixels, because texts keep their size however wide the chart is. */
const HEIGHT = 220;
/** The positions of the top of the scale and of the time axis. */
const [TOP, BASE] = [8, 176];
/** Width of the drawing of the bars, which is stretched to the width of the chart. */
const BARS_WIDTH = 1_000;
/** The smallest height of a bar that is not empty, which would otherwise be invisible, and of a part that is followed by a gap. */
const [BAR_MIN, PART_MIN] = [1.5, 3];

interface ChartProps {
  readonly history: ItemHistory;
  readonly timeZone: string;
}

/**
 * The rows loaded per minute, stacked by kind, as a chart that is drawn on the server and has the same content as text and
 * as a table. Each step can be focused and has its values as text (assets/chart.js).
 *
 * Source: decision 15 (docs/decisions/); choice C16.
 */
export function ItemsChart({ history, timeZone }: ChartProps): VNode {
  const { steps, span } = history;
  const { words, stepMinutes } = SPANS[span];
  const rates = steps.map(({ items }) => countOf(items) / stepMinutes);
  const most = Math.max(0, ...rates);
  if (most === 0) return <p class="empty">{`Nothing was loaded in ${words}.`}</p>;
  const top = scaleTop(most);
  const newest = steps.at(-1);
  return (
    <>
      <figure class="chart">
        <Legend history={history} />
        <p class="chart-values" aria-hidden="true">
          {newest && stepText(newest, stepMinutes, timeZone)}
        </p>
        <div class="chart-plot">
          <Scale top={top} />
          <svg height={HEIGHT} role="group" aria-labelledby="rows-title" aria-describedby="rows-text">
            <title id="rows-title">{`Rows loaded per minute, ${words}`}</title>
            <Fills />
            {[TOP, (TOP + BASE) / 2, BASE].map((y) => (
              <line key={y} class="chart-grid" x1="0" x2="100%" y1={y} y2={y} />
            ))}
            <Bars history={history} top={top / (BASE - TOP)} />
            <Labels labels={timeLabels(history, timeZone)} y={BASE + 18} />
            <Labels labels={dayLabels(history, timeZone)} y={BASE + (span === 'week' ? 18 : 36)} />
            <Steps history={history} timeZone={timeZone} />
          </svg>
        </div>
        <figcaption id="rows-text">{describe(history, rates, timeZone)}</figcaption>
      </figure>
      <StepsTable history={history} timeZone={timeZone} />
    </>
  );
}

const fillId = (name: ItemName): string => `rows-${name}`;
const fillOf = (name: ItemName): string => `url(#${fillId(name)})`;

/**
 * The positions of the lines of a hatching within eight pixels. A kind without lines has a lightness of its own, darker or
 * brighter than the others.
 */
const HATCHING: Readonly<Record<ItemName, readonly number[]>> = {
  notes: [0, 4],
  transactions: [],
  statements: [0],
  payment_instructions: [],
};

/** The lines are horizontal, so they look the same however wide the chart is. */
function Fills(): VNode {
  return (
    <defs>
      {ITEM_NAMES.map((name) => (
        <pattern key={name} id={fillId(name)} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect class={`kind-${name.replace('_', '-')}`} width="8" height="8" />
          {HATCHING[name].map((y) => (
            <rect key={y} class="chart-gap" y={y} width="8" height="1.5" />
          ))}
        </pattern>
      ))}
    </defs>
  );
}

/** The kinds with their fills, in the order of the bars from the bottom, and how many rows of each were loaded. */
function Legend({ history: { steps } }: Pick<ChartProps, 'history'>): VNode {
  const sums = forEachItem((name) => steps.reduce((sum, { items }) => sum + items[name], 0));
  return (
    <ul class="legend kinds">
      {ITEM_NAMES.map((name) => (
        <li key={name}>
          <svg aria-hidden="true">
            <rect width="16" height="16" fill={fillOf(name)} />
          </svg>
          {ITEMS[name].label} <strong>{formatCount(sums[name])}</strong>
        </li>
      ))}
    </ul>
  );
}

/** The numbers of the axis next to the bars. */
function Scale({ top }: { top: number }): VNode {
  const numbers = [
    { y: TOP, text: formatCount(top) },
    ...(top > 1 ? [{ y: (TOP + BASE) / 2, text: halfOf(top) }] : []),
    { y: BASE, text: '0' },
  ];
  return (
    <svg class="chart-scale" height={HEIGHT} aria-hidden="true">
      {numbers.map(({ y, text }) => (
        <text key={y} x="100%" y={y + 4}>
          {text}
        </text>
      ))}
      <text x="100%" y={BASE + 18}>
        rows per
      </text>
      <text x="100%" y={BASE + 32}>
        minute
      </text>
    </svg>
  );
}

function halfOf(top: number): string {
  return top % 2 === 0 ? formatCount(top / 2) : (top / 2).toFixed(1);
}

/** One path for each kind. @param top of the scale, in rows per minute for each unit of height */
function Bars({ history: { steps, span }, top }: Pick<ChartProps, 'history'> & { top: number }): VNode {
  const perUnit = top * SPANS[span].stepMinutes;
  const width = BARS_WIDTH / steps.length;
  const paths = forEachItem((): string[] => []);
  steps.forEach(({ items }, index) => {
    const all = countOf(items);
    const height = Math.max(BAR_MIN, all / perUnit);
    let y = BASE - TOP;
    for (const name of ITEM_NAMES) {
      if (items[name] <= 0) continue;
      const part = (height * items[name]) / all;
      const drawn = part > PART_MIN ? part - 1 : part;
      paths[name].push(
        `M${(index * width).toFixed(1)} ${y.toFixed(1)}v-${drawn.toFixed(1)}h${(width * 0.85).toFixed(1)}v${drawn.toFixed(1)}z`,
      );
      y -= part;
    }
  });
  return (
    <svg
      y={TOP}
      width="100%"
      height={BASE - TOP}
      viewBox={`0 0 ${BARS_WIDTH} ${BASE - TOP}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {ITEM_NAMES.map((name) => (
        <path key={name} fill={fillOf(name)} d={paths[name].join('')} />
      ))}
    </svg>
  );
}

/** A label at the edge begins there. The others are centred on their steps. */
function Labels({ labels, y }: { labels: readonly AxisLabel[]; y: number }): VNode {
  return (
    <>
      {labels.map(({ x, text }) => (
        <text key={x} class={x === 0 ? undefined : 'chart-time'} x={`${x.toFixed(2)}%`} y={y}>
          {text}
        </text>
      ))}
    </>
  );
}

/** The areas that can be focused and pointed at. The Tab key leads to the newest step, and the arrow keys from there to the others. */
function Steps({ history: { steps, span }, timeZone }: ChartProps): VNode {
  const share = 100 / steps.length;
  return (
    <>
      {steps.map((step, index) => (
        <rect
          key={index}
          id={`step-${step.at.getTime() / 60_000}`}
          class="chart-step"
          role="img"
          tabindex={index === steps.length - 1 ? 0 : -1}
          x={`${(index * share).toFixed(2)}%`}
          y={TOP}
          width={`${share.toFixed(2)}%`}
          height={BASE - TOP}
        >
          <title>{stepText(step, SPANS[span].stepMinutes, timeZone)}</title>
        </rect>
      ))}
    </>
  );
}

/** `2 Nov, 12:34: 7 rows (Notes 2, Transactions 5)`; a longer step also has its end and the rows per minute. */
function stepText({ at, items }: ItemStep, stepMinutes: number, timeZone: string): string {
  const until = stepMinutes === 1 ? '' : ` to ${formatTime(endOf(at, stepMinutes), timeZone)}`;
  const when = `${dayOf(at, timeZone)}, ${formatTime(at, timeZone)}${until}`;
  const all = countOf(items);
  if (all <= 0) return `${when}: no rows`;
  const rate = stepMinutes === 1 ? '' : `, ${formatRate(all / stepMinutes)} per minute`;
  const kinds = ITEM_NAMES.filter((name) => items[name] > 0).map(
    (name) => `${ITEMS[name].label} ${formatCount(items[name])}`,
  );
  return `${when}: ${counted(all, 'row')}${rate} (${kinds.join(', ')})`;
}

function formatRate(rate: number): string {
  return rate < 10 ? String(Number(rate.toFixed(1))) : formatCount(rate);
}

/** The number of rows, the time of the maximum, and the time range of the chart. */
function describe({ steps, span }: ItemHistory, rates: readonly number[], timeZone: string): string {
  const { words, stepMinutes } = SPANS[span];
  const all = steps.reduce((sum, { items }) => sum + countOf(items), 0);
  const most = Math.max(...rates);
  const [first, busiest, last] = [steps[0], steps[rates.indexOf(most)], steps.at(-1)].map(
    (step) => step?.at ?? new Date(0),
  ) as [Date, Date, Date];
  const day = span === 'week' ? `${dayOf(busiest, timeZone)}, ` : '';
  const loaded = all === 1 ? '1 row was loaded' : `${formatCount(all)} rows were loaded`;
  return `${loaded} in ${words}. Maximum at ${day}${formatTime(busiest, timeZone)}: ${formatRate(most)} per minute. From ${formatMinute(first, timeZone)} to ${formatMinute(endOf(last, stepMinutes), timeZone)}, times in ${timeZone}.`;
}

function endOf(time: Date, stepMinutes: number): Date {
  return new Date(time.getTime() + stepMinutes * 60_000);
}

/** The steps in which any rows were loaded, newest first. */
function StepsTable({ history, timeZone }: ChartProps): VNode {
  const { words, stepMinutes } = SPANS[history.span];
  const each = stepMinutes === 1 ? 'minute' : stepMinutes === 60 ? 'hour' : `${stepMinutes} minutes`;
  const steps = history.steps.filter(({ items }) => countOf(items) > 0).toReversed();
  const day = (time: Date): string => (history.span === 'hour' ? '' : `${dayOf(time, timeZone)}, `);
  return (
    <details id="items-table">
      <summary>The chart as a table</summary>
      <Table
        caption={`Rows loaded in each ${each} of ${words} in which there were any`}
        rows={steps}
        columns={[
          {
            head: 'From',
            kind: 'row',
            cell: ({ at }) => (
              <time dateTime={at.toISOString()}>
                {day(at)}
                {formatTime(at, timeZone)}
              </time>
            ),
          },
          ...ITEM_NAMES.map((name): Column<ItemStep> => ({
            head: ITEMS[name].label,
            kind: 'number',
            cell: ({ items }) => formatCount(items[name]),
          })),
          { head: 'All', kind: 'number', cell: ({ items }) => formatCount(countOf(items)) },
        ]}
      />
    </details>
  );
}
