import { renderToString } from 'preact-render-to-string';
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

describe('the chart of loaded rows', () => {
  const textsOf = (html: string, tag: string): string[] =>
    [...html.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => text);
  const heightsOf = (html: string): number[] =>
    [...html.matchAll(/<rect x="\d+" y="\d+(?:\.\d)?" width="8" height="([\d.]+)"/g)].map(([, height]) =>
      Number(height),
    );

  it('says the same as a text and, by kind, as a table (C16)', () => {
    const html = chart('hour', [minute('02T12:00', 1_000_000), minute('02T12:01', { transactions: 1 })]);
    expect(textsOf(html, 'title')[0]).toBe('Rows loaded per minute, the last hour');
    expect(textsOf(html, 'figcaption')).toEqual([
      '1,000,001 rows in the last hour. Maximum at 2 Nov 2026, 12:00 UTC: 1,000,000 per minute.',
    ]);
    const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) => [
      ...textsOf(row, 'th'),
      ...textsOf(row, 'td'),
    ]);
    expect(rows).toEqual([
      ['2 Nov 2026, 12:01 UTC', '0', '1', '0', '0', '1'],
      ['2 Nov 2026, 12:00 UTC', '1,000,000', '0', '0', '0', '1,000,000'],
    ]);
  });

  it('has the value of each step as a tip, and the times of the first, the middle and the last (C16)', () => {
    const html = chart('hour', [minute('02T12:00', { notes: 2, transactions: 1_000 })], 'Asia/Tokyo');
    const [, ...tips] = textsOf(html, 'title');
    expect(tips).toHaveLength(60);
    expect(tips[25]).toBe('2 Nov 2026, 21:00 GMT+9: 1,002 per minute, 2 notes, 1,000 transactions');
    expect(tips[59]).toBe('2 Nov 2026, 21:34 GMT+9: 0 per minute');
    expect(textsOf(html, 'span')).toEqual(
      ['20:35', '21:05', '21:34'].map((time) => `2 Nov 2026, ${time} GMT+9`),
    );
  });

  it('of a day shows the rate of a minute (C16)', () => {
    const html = chart('day', [minute('02T12:05', 25)]);
    expect(textsOf(html, 'figcaption')[0]).toContain(
      '25 rows in the last day. Maximum at 2 Nov 2026, 12:00 UTC: 2.5 per minute.',
    );
  });

  it('has bars in proportion to the rates, and shows the smallest (C16)', () => {
    const html = chart('hour', [minute('02T12:00', 1_000), minute('02T12:01', 500), minute('02T12:02', 1)]);
    expect(heightsOf(html)).toEqual([160, 80, 1.5]);
  });
});
