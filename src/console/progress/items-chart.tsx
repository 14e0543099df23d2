import type { VNode } from 'preact';
import { counted, formatCount, formatTime } from '../common/format.js';
import { Table, type Column } from '../layout/table.js';
import { SPANS, type ItemHistory, type ItemStep } from './progress.types.js';
import { ITEM_NAMES, ITEMS, countOf } from '../../items/items.js';

/** In pixels: texts keep their size however wide the chart is. */
const HEIGHT = 210;
/** Where the top of the scale and the axis of time are. */
const [TOP, BASE] = [24, 180];
/** Of the drawing of the bars, which is stretched to the width of the chart. */
const BARS_WIDTH = 1_000;
/** So near to the edge, in percent, a label would be cut. */
const EDGE = 5;
/** Minutes between two labels of the time. */
const LABEL_EVERY = { hour: 10, day: 180 } as const;

/**
 * The items that arrived a minute, as a chart that is drawn on the server and says the same as a text and as a table.
 *
 * Source: decision 15 (docs/decisions/).
 */
export function ItemsChart({ history, timeZone }: { history: ItemHistory; timeZone: string }): VNode {
  const { steps, span } = history;
  const { words, stepMinutes } = SPANS[span];
  const rates = steps.map(({ items }) => countOf(items) / stepMinutes);
  const most = Math.max(0, ...rates);
  if (most === 0) return <p class="empty">{`Nothing was loaded in ${words}.`}</p>;
  return (
    <>
      <svg
        class="chart items"
        width="100%"
        height={HEIGHT}
        role="img"
        aria-labelledby="items-title items-description"
      >
        <title id="items-title">{`Items loaded a minute, ${words}`}</title>
        <desc id="items-description">{describe(history, rates, timeZone)}</desc>
        <Scale top={scaleTop(most)} />
        <svg
          y={TOP}
          width="100%"
          height={BASE - TOP}
          viewBox={`0 0 ${BARS_WIDTH} ${BASE - TOP}`}
          preserveAspectRatio="none"
        >
          <path class="chart-bars" d={bars(rates, scaleTop(most))} />
        </svg>
        {timeLabels(history, timeZone).map(({ x, text }) => (
          <text key={text} class="chart-time" x={x} y={HEIGHT - 10}>
            {text}
          </text>
        ))}
      </svg>
      <StepsTable history={history} timeZone={timeZone} />
    </>
  );
}

/** The smallest of 1, 2, 5, 10, 20, 50, … that is not below. */
export function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 5, 10].find((times) => times * power >= most) ?? 10) * power;
}

/** Its number stands above the bars, where none reaches. */
function Scale({ top }: { top: number }): VNode {
  return (
    <>
      {[TOP, (TOP + BASE) / 2, BASE].map((y) => (
        <line key={y} class="chart-grid" x1="0" x2="100%" y1={y} y2={y} />
      ))}
      <text x="0" y={TOP - 6}>
        {`${formatCount(top)} a minute`}
      </text>
    </>
  );
}

/** SVG path of the bars; each that is not empty can be seen. */
function bars(rates: readonly number[], top: number): string {
  const height = BASE - TOP;
  const width = BARS_WIDTH / rates.length;
  return rates
    .map((rate, index) => {
      if (rate <= 0) return '';
      const bar = Math.max(1.5, (height * rate) / top).toFixed(1);
      return `M${(index * width).toFixed(1)} ${height}v-${bar}h${(width * 0.85).toFixed(1)}v${bar}z`;
    })
    .join('');
}

interface TimeLabel {
  /** In percent of the width. */
  readonly x: string;
  readonly text: string;
}

/** Labels where ten minutes or three hours of the platform's time begin. */
function timeLabels({ steps, span }: ItemHistory, timeZone: string): TimeLabel[] {
  const texts = steps.map(({ at }) => formatTime(at, timeZone));
  const parts = texts.map((text) => Math.floor(minuteOfDay(text) / LABEL_EVERY[span]));
  return texts.flatMap((text, index) => {
    const x = ((index + 0.5) * 100) / steps.length;
    const isNew = index > 0 && parts[index] !== parts[index - 1];
    return isNew && x >= EDGE && x <= 100 - EDGE ? [{ x: `${x.toFixed(2)}%`, text }] : [];
  });
}

function minuteOfDay(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function describe({ steps, span }: ItemHistory, rates: readonly number[], timeZone: string): string {
  const { words } = SPANS[span];
  const all = steps.reduce((sum, { items }) => sum + countOf(items), 0);
  const most = Math.max(...rates);
  const at = steps[rates.indexOf(most)]?.at;
  const when = at ? formatTime(at, timeZone) : '';
  const loaded = all === 1 ? '1 item was loaded' : `${formatCount(all)} items were loaded`;
  return `${loaded} in ${words}. The most at ${when}: ${counted(Math.ceil(most), 'item')} a minute.`;
}

/** The steps in which anything arrived, newest first. */
function StepsTable({ history, timeZone }: { history: ItemHistory; timeZone: string }): VNode {
  const { words, stepMinutes } = SPANS[history.span];
  const each = stepMinutes === 1 ? 'each minute' : `each ${stepMinutes} minutes`;
  const steps = history.steps.filter(({ items }) => countOf(items) > 0).toReversed();
  return (
    <details id="items-table">
      <summary>The chart as a table</summary>
      <Table
        caption={`Items loaded in ${each} of ${words} in which there were any`}
        rows={steps}
        columns={[
          {
            head: 'From',
            kind: 'row',
            cell: ({ at }) => <time dateTime={at.toISOString()}>{formatTime(at, timeZone)}</time>,
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
