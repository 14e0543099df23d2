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

  it.each([
    [[1_000_000, 1, 2], 'Imported 1, In progress 0, Pending 1,000,000, Failed 2'],
    [[0, 0, 0], 'No accounts'],
  ])(
    'of %j says its numbers as a text, in the order of the bar',
    ([pending = 0, imported = 0, failed = 0], title) => {
      const accounts = { pending, in_progress: 0, imported, failed };
      const html = renderToString(AccountsBar({ code: 'S', accounts }));
      expect(html).toContain(`<title>${title}</title>`);
      expect(html).not.toContain('style=');
    },
  );
});
