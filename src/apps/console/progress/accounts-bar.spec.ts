import { renderToString } from 'preact-render-to-string';
import { AccountsBar, partWidths } from './accounts-bar.js';

describe('the bar of accounts', () => {
  it.each([
    { counts: [0, 0, 0, 0], widths: [0, 0, 0, 0] },
    { counts: [1, 0, 0, 0], widths: [1_000, 0, 0, 0] },
    { counts: [1, 1, 1, 1], widths: [250, 250, 250, 250] },
    { counts: [1, 1, 1, 0], widths: [334, 333, 333, 0] },
    { counts: [999_999, 0, 0, 1], widths: [994, 0, 0, 6] },
    { counts: [1, 1, 1_000_000, 1], widths: [6, 6, 982, 6] },
  ])('for $counts has parts of the widths $widths', ({ counts, widths }) => {
    expect(partWidths(counts)).toEqual(widths);
  });

  it('says its numbers as a text, in the order of the bar', () => {
    const html = renderToString(
      AccountsBar({ code: 'S', accounts: { pending: 1_000_000, in_progress: 0, imported: 1, failed: 2 } }),
    );
    expect(html).toContain('<title>Imported 1, In progress 0, Pending 1,000,000, Failed 2</title>');
    expect(html).not.toContain('style=');
  });

  it('says that there are no accounts', () => {
    const html = renderToString(
      AccountsBar({ code: 'S', accounts: { pending: 0, in_progress: 0, imported: 0, failed: 0 } }),
    );
    expect(html).toContain('<title>No accounts</title>');
    expect(html.match(/<rect/g)).toHaveLength(1);
  });
});
