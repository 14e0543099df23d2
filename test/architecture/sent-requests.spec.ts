import { filesIn } from './sources.js';

/** Files beside src/sent-requests/ whose SQL reads import requests or refusals, and what for. None of it is shown to anybody as a request. */
const OTHERS: Readonly<Record<string, string>> = {
  'src/documents/document-referrers.ts': 'those with documents that were not seen, for the lists of these',
  'src/items/note.item.ts': 'the request that pinned a note, for what an account holds',
  'src/totals/totals-check.repository.ts': 'counts',
  'src/totals/account-counts.queries.ts': 'counts',
  'src/totals/totals.queries.ts': 'counts',
  'src/account-lists/account-lists.repository.ts': 'whether an account has any',
  'src/console/progress/progress.repository.ts': 'counts the refusals of the last hour',
  'src/feed/changes.queries.ts':
    'the id that a client has given a request, for the platform, which sees all suppliers',
  'src/imports/undo/undo.repository.ts': 'marks what is undone',
  'src/imports/refusals/refusals.repository.ts': 'removes the oldest',
};

describe('import requests and refusals', () => {
  it('are read for somebody by src/sent-requests/ only, which knows whose they are (A8)', () => {
    const readers = filesIn('src')
      .filter(({ path }) => !path.endsWith('.spec.ts') && !path.startsWith('src/database/migrations/'))
      .filter(({ text }) => /\b(FROM|JOIN|from:|UPDATE)\s+['`]?\{?import_(request|refusal)\b/.test(text))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('src/sent-requests/'));
    expect(readers.sort()).toEqual(Object.keys(OTHERS).sort());
  });
});
