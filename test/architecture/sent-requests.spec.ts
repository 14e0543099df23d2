import { filesIn } from './sources.js';

/** Files beside src/capabilities/request-log/requests/ whose SQL reads import requests or refusals, and what for. None of it is shown to anybody as a request. */
const OTHERS: Readonly<Record<string, string>> = {
  'src/ingest/documents/document-referrers.ts':
    'those with documents that were not seen, for the lists of these',
  'src/ingest/kinds/note.item.ts': 'the request that pinned a note, for what an account holds',
  'src/capabilities/totals/totals-check.queries.ts': 'counts',
  'src/accounts/counts/account-counts.queries.ts': 'counts',
  'src/capabilities/totals/totals.queries.ts': 'counts',
  'src/accounts/lists/account-lists.repository.ts': 'whether an account has any',
  'src/apps/console/progress/supplier-signs.ts': 'counts the refusals of the last hour',
  'src/capabilities/feed/changes.queries.ts':
    'the id that a client has given a request, for the platform, which sees all suppliers',
  'src/capabilities/undo/undo.repository.ts': 'marks what is undone',
  'src/capabilities/request-log/refusals/refusals.repository.ts': 'removes the oldest',
};

describe('import requests and refusals', () => {
  it('are read for somebody by src/capabilities/request-log/requests/ only, which knows whose they are (A8)', () => {
    const readers = filesIn('src')
      .filter(
        ({ path }) =>
          !path.endsWith('.spec.ts') && !path.startsWith('src/infrastructure/database/migrations/'),
      )
      .filter(({ text }) => /\b(FROM|JOIN|from:|UPDATE)\s+['`]?\{?import_(request|refusal)\b/.test(text))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('src/capabilities/request-log/requests/'));
    expect(readers.sort()).toEqual(Object.keys(OTHERS).sort());
  });
});
