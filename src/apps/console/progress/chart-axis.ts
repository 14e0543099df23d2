import { formatTime, formatZonedDateTime } from '../common/format.js';
import type { ItemHistory, Span } from './progress.types.js';

/** A label this near to the edge, in percent, would be cut off. */
const EDGE = 5;
/** The room for the label of a day, in percent. */
const DAY = 20;
/** Minutes between two time labels. */
const LABEL_EVERY: Readonly<Record<Span, number>> = { hour: 10, '6-hours': 60, day: 180, week: 24 * 60 };

/** A text below the chart. */
export interface AxisLabel {
  /** Position in percent of the width. */
  readonly x: number;
  readonly text: string;
}

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `most`. */
export function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 5, 10].find((times) => times * power >= most) ?? 10) * power;
}

/** @returns for example `2 Nov` */
export function dayOf(time: Date, timeZone: string): string {
  return formatZonedDateTime(time, timeZone).replace(/ \d{4}, .*$/, '');
}

/** Labels where ten minutes, an hour or three hours of the time zone begin. A week has none, because its day labels are enough. */
export function timeLabels({ steps, span }: ItemHistory, timeZone: string): AxisLabel[] {
  if (span === 'week') return [];
  const texts = steps.map(({ at }) => formatTime(at, timeZone));
  const parts = texts.map((text) => Math.floor(minuteOfDay(text) / LABEL_EVERY[span]));
  return whereNew(parts).flatMap((index) => {
    const x = positionOf(index, steps.length);
    return x >= EDGE && x <= 100 - EDGE ? [{ x, text: texts[index] ?? '' }] : [];
  });
}

/** Labels where days of the time zone begin, and the first day at the left edge. */
export function dayLabels({ steps }: ItemHistory, timeZone: string): AxisLabel[] {
  const days = steps.map(({ at }) => dayOf(at, timeZone));
  const labels = whereNew(days)
    .map((index) => ({ x: positionOf(index, steps.length), text: days[index] ?? '' }))
    .filter(({ x }) => x <= 100 - EDGE);
  const hasRoom = (labels[0]?.x ?? 100) >= DAY;
  return [...(hasRoom ? [{ x: 0, text: days[0] ?? '' }] : []), ...labels];
}

/** The indexes at which the value changes. */
function whereNew(values: readonly unknown[]): number[] {
  return values.flatMap((value, index) => (index > 0 && value !== values[index - 1] ? [index] : []));
}

/** The middle of a step. */
function positionOf(index: number, count: number): number {
  return ((index + 0.5) * 100) / count;
}

function minuteOfDay(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
