import { renderToString } from 'preact-render-to-string';
import { itemHistory } from './item-history.js';
import { ItemsChart, scaleTop } from './items-chart.js';
import type { Span } from './progress.types.js';

const NOW = new Date('2026-11-02T12:34:56Z');

const minute = (at: string, notes: number, importSupplierId = 1) => ({
  importSupplierId,
  minute: new Date(`2026-11-${at}:00Z`),
  ...{ requests: 1, imported: 0, failed: 0 },
  items: { notes, transactions: 0, statements: 0, payment_instructions: 0 },
});

function chart(span: Span, minutes: ReturnType<typeof minute>[], timeZone = 'UTC'): string {
  return renderToString(ItemsChart({ history: itemHistory(NOW, span, minutes), timeZone }));
}

const heights = (html: string): number[] =>
  [...html.matchAll(/M[\d.]+ \d+v-([\d.]+)h/g)].map(([, height]) => Number(height));

describe('what arrived', () => {
  it('is the sum of all suppliers, minute by minute, the present one last', () => {
    const minutes = [
      minute('02T12:34', 1),
      minute('02T12:34', 2, 2),
      minute('02T11:35', 4),
      minute('02T11:34', 8),
    ];
    const { steps } = itemHistory(NOW, 'hour', minutes);
    expect(steps).toHaveLength(60);
    expect(steps[0]).toEqual({ at: new Date('2026-11-02T11:35:00Z'), items: minute('02T11:35', 4).items });
    expect(steps[59]?.items.notes).toBe(3);
    expect(steps.reduce((sum, { items }) => sum + items.notes, 0)).toBe(7);
  });

  it('of a day is in steps of 10 minutes', () => {
    const minutes = [
      minute('02T12:30', 1),
      minute('02T12:39', 2),
      minute('01T12:40', 4),
      minute('01T12:39', 8),
    ];
    const { steps } = itemHistory(NOW, 'day', minutes);
    expect(steps).toHaveLength(144);
    expect([steps[0]?.at, steps[0]?.items.notes]).toEqual([new Date('2026-11-01T12:40:00Z'), 4]);
    expect(steps[143]?.items.notes).toBe(3);
  });
});

describe('the chart of what arrived', () => {
  it('says that there was nothing', () => {
    expect(chart('hour', [])).toBe('<p class="empty">Nothing was loaded in the last hour.</p>');
    expect(chart('day', [minute('02T12:30', 0)])).toBe(
      '<p class="empty">Nothing was loaded in the last day.</p>',
    );
  });

  it('says the same as a text and as a table', () => {
    const html = chart('hour', [minute('02T12:00', 1_000_000), minute('02T12:01', 1)]);
    expect(html).toContain('<title id="items-title">Items loaded a minute, the last hour</title>');
    expect(html).toContain(
      '1,000,001 items were loaded in the last hour. The most at 12:00: 1,000,000 items a minute.',
    );
    const rows = [...html.matchAll(/<tr><th scope="row"><time[^>]*>([\d:]+)<\/time>.*?<\/tr>/g)];
    expect(rows.map(([row, time]) => [time, /([\d,]+)<\/td><\/tr>/.exec(row)?.[1]])).toEqual([
      ['12:01', '1'],
      ['12:00', '1,000,000'],
    ]);
  });

  it('says one item in the singular', () => {
    expect(chart('hour', [minute('02T12:00', 1)])).toContain(
      '1 item was loaded in the last hour. The most at 12:00: 1 item a minute.',
    );
  });

  it('has bars in proportion to the rates, and shows the smallest', () => {
    const [large = 0, half = 0, small = 0] = heights(
      chart('hour', [minute('02T12:00', 1_000), minute('02T12:01', 500), minute('02T12:02', 1)]),
    );
    expect([large / half, small]).toEqual([2, 1.5]);
  });

  it('of a day shows the rate of a minute', () => {
    const html = chart('day', [minute('02T12:00', 1_000)]);
    expect(html).toContain('1,000 items were loaded in the last day. The most at 12:00: 100 items a minute.');
    expect(heights(html)).toEqual([156]);
  });

  it.each([
    ['UTC', ['11:40', '11:50', '12:00', '12:10', '12:20', '12:30']],
    ['Asia/Kathmandu', ['17:30', '17:40', '17:50', '18:00', '18:10']],
  ])('has labels at whole ten minutes of the time of %s', (timeZone, labels) => {
    const html = chart('hour', [minute('02T12:00', 1)], timeZone);
    expect([...html.matchAll(/<text class="chart-time[^>]*>([\d:]+)</g)].map(([, label]) => label)).toEqual(
      labels,
    );
  });

  it('has labels every three hours of a day', () => {
    const html = chart('day', [minute('02T12:00', 1)]);
    expect([...html.matchAll(/<text class="chart-time[^>]*>([\d:]+)</g)].map(([, label]) => label)).toEqual([
      ...['15:00', '18:00', '21:00', '00:00', '03:00', '06:00', '09:00'],
    ]);
  });

  it.each([
    [0.1, 1],
    [1, 1],
    [1.01, 2],
    [2, 2],
    [3, 5],
    [9, 10],
    [10, 10],
    [11, 20],
    [999_999, 1_000_000],
    [1_000_000, 1_000_000],
    [1_000_001, 2_000_000],
  ])('with at most %d a minute has a scale to %d', (most, top) => {
    expect(scaleTop(most)).toBe(top);
  });

  it('has no style attribute, which the policy of the page would block', () => {
    expect(chart('hour', [minute('02T12:00', 1)])).not.toContain('style=');
  });
});
