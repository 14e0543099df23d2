import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { scaleTop } from './chart-axis.js';
import { itemHistory } from './item-history.js';
import { ItemsChart } from './items-chart.js';
import type { Span } from './progress.types.js';

const NOW = new Date('2026-11-02T12:34:56Z');

const NO_ITEMS = { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 };

const minute = (at: string, items: number | Partial<typeof NO_ITEMS>) => ({
  minute: new Date(`2026-11-${at}:00Z`),
  ...{ requests: 1, imported: 0, failed: 0 },
  items: { ...NO_ITEMS, ...(typeof items === 'number' ? { notes: items } : items) },
});

function chart(span: Span, minutes: ReturnType<typeof minute>[], timeZone = 'UTC'): string {
  return renderToString(ItemsChart({ history: itemHistory(NOW, span, minutes), timeZone }));
}

describe('the history of loaded rows', () => {
  it('is the sum over all suppliers, minute by minute, the current one last', () => {
    const { steps } = itemHistory(NOW, 'hour', [
      ...[minute('02T12:34', 1), minute('02T12:34', 2), minute('02T11:35', 4), minute('02T11:34', 8)],
    ]);
    expect(steps).toHaveLength(60);
    expect(steps[0]).toEqual({ at: new Date('2026-11-02T11:35:00Z'), items: minute('02T11:35', 4).items });
    expect(steps[59]?.items.notes).toBe(3);
    expect(steps.reduce((sum, { items }) => sum + items.notes, 0)).toBe(7);
  });

  it('of a day has steps of 10 minutes', () => {
    const { steps } = itemHistory(NOW, 'day', [
      ...[minute('02T12:30', 1), minute('02T12:39', 2), minute('01T12:40', 4), minute('01T12:39', 8)],
    ]);
    expect(steps).toHaveLength(144);
    expect([steps[0]?.at, steps[0]?.items.notes]).toEqual([new Date('2026-11-01T12:40:00Z'), 4]);
    expect(steps[143]?.items.notes).toBe(3);
  });

  it.each<[Span, number, string, string]>([
    ['6-hours', 72, '2026-11-02T06:35:00.000Z', '2026-11-02T12:30:00.000Z'],
    ['week', 168, '2026-10-26T13:00:00.000Z', '2026-11-02T12:00:00.000Z'],
  ])('of %s has %d steps, the current one last', (span, count, first, last) => {
    const { steps } = itemHistory(NOW, span, []);
    expect([steps.length, steps[0]?.at.toISOString(), steps.at(-1)?.at.toISOString()]).toEqual([
      ...[count, first, last],
    ]);
  });
});

/** The parts of the bars with their positions and heights, by fill. */
function partsOf(html: string): Record<string, { x: number; foot: number; height: number }[]> {
  const paths = [...html.matchAll(/<path fill="url\(#rows-([\w]+)\)" d="([^"]*)"/g)];
  return Object.fromEntries(
    paths.map(([, kind = '', path = '']) => [
      kind,
      [...path.matchAll(/M([\d.]+) ([\d.]+)v-([\d.]+)h/g)].map(([, x, foot, height]) => ({
        ...{ x: Number(x), foot: Number(foot), height: Number(height) },
      })),
    ]),
  );
}

const stepsOf = (html: string): string[] =>
  [...html.matchAll(/<rect[^>]* class="chart-step"[^>]*><title>(.*?)<\/title>/g)].map(
    ([, text = '']) => text,
  );
const labelsOf = (html: string): string[] =>
  [...html.matchAll(/<text(?: class="chart-time")? x="[\d.]+%" y="\d+">([^<]+)</g)]
    .map(([, label = '']) => label)
    .filter((label) => /:|Nov|Oct/.test(label));

describe('the chart of loaded rows', () => {
  it('says the same as a text and as a table', () => {
    const html = chart('hour', [minute('02T12:00', 1_000_000), minute('02T12:01', 1)]);
    expect(html).toContain('<title id="rows-title">Rows loaded per minute, the last hour</title>');
    expect(html).toContain(
      '1,000,001 rows were loaded in the last hour. Maximum at 12:00: 1,000,000 per minute. From 2 Nov 2026, 11:35 UTC to 2 Nov 2026, 12:35 UTC, times in UTC.',
    );
    const rows = [...html.matchAll(/<tr><th scope="row"><time[^>]*>([\d:]+)<\/time>.*?<\/tr>/g)];
    expect(rows.map(([row, time]) => [time, /([\d,]+)<\/td><\/tr>/.exec(row)?.[1]])).toEqual([
      ['12:01', '1'],
      ['12:00', '1,000,000'],
    ]);
  });

  it('has the values of each step as a text, and the keyboard reaches the newest (C16)', () => {
    const html = chart('hour', [minute('02T12:00', { notes: 2, transactions: 1_000 })]);
    const steps = stepsOf(html);
    expect(steps).toHaveLength(60);
    expect(steps[25]).toBe('2 Nov, 12:00: 1,002 rows (Notes 2, Transactions 1,000)');
    expect(steps[59]).toBe('2 Nov, 12:34: no rows');
    expect(html.match(/tabindex="0"[^>]*>/g)?.filter((tag) => !tag.includes('group'))).toHaveLength(2);
    expect(html).toContain('<p class="chart-values" aria-hidden="true">2 Nov, 12:34: no rows</p>');
    const [, ...ofDay] = stepsOf(chart('day', [minute('02T12:05', { statements: 25 })])).slice(-5);
    expect(ofDay[0]).toBe('2 Nov, 12:00 to 12:10: 25 rows, 2.5 per minute (Statements 25)');
  });

  it('stacks all kinds in one bar, each with its own fill and its sum in the legend (C16)', () => {
    const html = chart('hour', [
      minute('02T12:00', { notes: 400, transactions: 300, statements: 200, payment_instructions: 100 }),
      minute('02T12:01', { transactions: 1_000 }),
    ]);
    const { notes, transactions, statements, payment_instructions: instructions } = partsOf(html);
    expect([notes, transactions, statements, instructions]).toEqual([
      [{ x: 416.7, foot: 168, height: 66.2 }],
      [
        { x: 416.7, foot: 100.8, height: 49.4 },
        { x: 433.3, foot: 168, height: 167 },
      ],
      [{ x: 416.7, foot: 50.4, height: 32.6 }],
      [{ x: 416.7, foot: 16.8, height: 15.8 }],
    ]);
    const legend = [...html.matchAll(/<li><svg.*?fill="(.*?)".*?<\/svg>(.*?) <strong>([\d,]+)</g)];
    expect(legend.map(([, fill, label, sum]) => [fill, label, sum])).toEqual([
      ['url(#rows-notes)', 'Notes', '400'],
      ['url(#rows-transactions)', 'Transactions', '1,300'],
      ['url(#rows-statements)', 'Statements', '200'],
      ['url(#rows-payment_instructions)', 'Payment instructions', '100'],
    ]);
  });

  it('tells the kinds apart without colours: by lines, or by lightness when there are none (C16)', () => {
    const html = chart('hour', [minute('02T12:00', 1)]);
    const lines = [...html.matchAll(/<pattern id="rows-(\w+)".*?<\/pattern>/g)].map(([pattern, kind]) => [
      kind,
      pattern.match(/chart-gap/g)?.length ?? 0,
    ]);
    expect(lines).toEqual([
      ['notes', 2],
      ['transactions', 0],
      ['statements', 1],
      ['payment_instructions', 0],
    ]);
  });

  it.each([
    ['light', 1, '#f6f7f9'],
    ['dark', 2, '#10141b'],
  ] as const)('has colours with enough contrast in %s mode (WCAG 1.4.11)', (_mode, index, page) => {
    const css = readFileSync(new URL('../assets/chart.css', import.meta.url), 'utf8');
    const color = (kind: string): string =>
      new RegExp(`\\.kind-${kind} \\{\\s+fill: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)![index]!;
    for (const kind of ['notes', 'transactions', 'statements', 'payment-instructions']) {
      expect([kind, contrast(color(kind), page) >= 3]).toEqual([kind, true]);
    }
    expect(contrast(color('transactions'), color('payment-instructions'))).toBeGreaterThanOrEqual(3);
  });

  it('has a scale from 0 with its unit (C16)', () => {
    const html = chart('hour', [minute('02T12:00', 400)]);
    const [scale = ''] = /<svg class="chart-scale".*?<\/svg>/.exec(html) ?? [];
    expect([...scale.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text)).toEqual([
      ...['500', '250', '0', 'rows per', 'minute'],
    ]);
  });

  it.each<[Span, string, string[]]>([
    ['hour', 'UTC', ['11:40', '11:50', '12:00', '12:10', '12:20', '12:30', '2 Nov']],
    ['hour', 'Asia/Kathmandu', ['17:30', '17:40', '17:50', '18:00', '18:10', '2 Nov']],
    ['6-hours', 'UTC', ['07:00', '08:00', '09:00', '10:00', '11:00', '12:00', '2 Nov']],
    ['6-hours', 'Asia/Tokyo', ['16:00', '17:00', '18:00', '19:00', '20:00', '21:00', '2 Nov']],
    [
      ...(['day', 'UTC'] as const),
      ['15:00', '18:00', '21:00', '00:00', '03:00', '06:00', '09:00', '1 Nov', '2 Nov'],
    ],
    [...(['week', 'UTC'] as const), ['27 Oct', '28 Oct', '29 Oct', '30 Oct', '31 Oct', '1 Nov', '2 Nov']],
  ])('of %s in %s has labels at whole times and at each day (C16)', (span, timeZone, labels) => {
    expect(labelsOf(chart(span, [minute('02T12:00', 1)], timeZone))).toEqual(labels);
  });

  it('has a scale to the next 1, 2 or 5', () => {
    const tops = [0.1, 1, 1.01, 2, 3, 9, 10, 11, 999_999, 1_000_000, 1_000_001].map(scaleTop);
    expect(tops).toEqual([1, 1, 2, 2, 5, 10, 10, 20, 1_000_000, 1_000_000, 2_000_000]);
  });
});

/** The contrast of two colours according to WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const part = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
