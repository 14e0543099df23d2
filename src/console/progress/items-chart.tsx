import type { VNode } from 'preact';
import { counted, formatCount, formatTime } from '../format.js';
import { ITEM_KINDS, ITEM_NAMES, itemsOf } from './item-names.js';
import { SPANS, type ItemHistory, type ItemStep } from './progress.types.js';

const [WIDTH, HEIGHT] = [720, 210];
/** Where the axis of time and the top of the scale are. */
const [BASE, TOP] = [180, 24];
/** Hours and minutes between two labels of the time. */
const LABEL_EVERY = { hour: 10, day: 180 } as const;

/**
 * The items that arrived a minute, as a chart that is drawn on the server and says the same as a text and as a table.
 *
 * Source: docs/decisions/0015-a-console-of-pages.md.
 */
export function ItemsChart({ history, timeZone }: { history: ItemHistory; timeZone: string }): VNode {
  const { steps, span } = history;
  const { words, stepMinutes } = SPANS[span];
  const rates = steps.map(({ items }) => itemsOf(items) / stepMinutes);
  const most = Math.max(0, ...rates);
  if (most === 0) return <p class="empty">{`Nothing was loaded in ${words}.`}</p>;
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby="items-title items-description"
      >
        <title id="items-title">{`Items loaded a minute, ${words}`}</title>
        <desc id="items-description">{describe(history, rates, timeZone)}</desc>
        <Scale top={scaleTop(most)} />
        <path class="chart-bars" d={bars(rates, scaleTop(most))} />
        {timeLabels(history, timeZone).map(({ x, text, isMinor }) => (
          <text key={text} class={isMinor ? 'chart-time chart-minor' : 'chart-time'} x={x} y={HEIGHT - 8}>
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

function Scale({ top }: { top: number }): VNode {
  return (
    <>
      {[top, top / 2, 0].map((value) => {
        const y = BASE - ((BASE - TOP) * value) / top;
        return (
          <g key={value}>
            <line class="chart-grid" x1="0" x2={WIDTH} y1={y} y2={y} />
            {value > 0 && Number.isInteger(value) && (
              <text class="chart-scale" x="0" y={y - 5}>
                {formatCount(value)}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** SVG path of the bars; each that is not empty can be seen. */
function bars(rates: readonly number[], top: number): string {
  const width = WIDTH / rates.length;
  return rates
    .map((rate, index) => {
      if (rate <= 0) return '';
      const height = Math.max(1.5, ((BASE - TOP) * rate) / top).toFixed(1);
      return `M${(index * width).toFixed(1)} ${BASE}v-${height}h${(width - 1).toFixed(1)}v${height}z`;
    })
    .join('');
}

interface TimeLabel {
  readonly x: string;
  readonly text: string;
  /** Left out where there is little room. */
  readonly isMinor: boolean;
}

/** Labels where a ten minutes or three hours of the platform's time begin, but for the edges, which would cut them. */
function timeLabels({ steps, span }: ItemHistory, timeZone: string): TimeLabel[] {
  const every = LABEL_EVERY[span];
  const texts = steps.map(({ at }) => formatTime(at, timeZone));
  const parts = texts.map((text) => Math.floor(minuteOfDay(text) / every));
  const width = WIDTH / steps.length;
  return texts.flatMap((text, index) => {
    const x = (index + 0.5) * width;
    const isNew = index > 0 && parts[index] !== parts[index - 1];
    if (!isNew || x < 20 || x > WIDTH - 20) return [];
    return [{ x: x.toFixed(1), text, isMinor: (parts[index] ?? 0) % 2 === 1 }];
  });
}

function minuteOfDay(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function describe({ steps, span }: ItemHistory, rates: readonly number[], timeZone: string): string {
  const { words } = SPANS[span];
  const all = steps.reduce((sum, { items }) => sum + itemsOf(items), 0);
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
  const steps = history.steps.filter(({ items }) => itemsOf(items) > 0).toReversed();
  return (
    <details id="items-table">
      <summary>The chart as a table</summary>
      <div class="scroll">
        <table class="data">
          <caption>{`Items loaded in ${each} of ${words} in which there were any`}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              {ITEM_KINDS.map((kind) => (
                <th key={kind} scope="col" class="number">
                  {ITEM_NAMES[kind]}
                </th>
              ))}
              <th scope="col" class="number">
                All
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <StepRow key={step.at.getTime()} step={step} timeZone={timeZone} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function StepRow({ step: { at, items }, timeZone }: { step: ItemStep; timeZone: string }): VNode {
  return (
    <tr>
      <th scope="row">
        <time dateTime={at.toISOString()}>{formatTime(at, timeZone)}</time>
      </th>
      {ITEM_KINDS.map((kind) => (
        <td key={kind} class="number">
          {formatCount(items[kind])}
        </td>
      ))}
      <td class="number">{formatCount(itemsOf(items))}</td>
    </tr>
  );
}
