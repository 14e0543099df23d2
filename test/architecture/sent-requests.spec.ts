import { filesIn } from './sources.js';

/** Other files whose SQL reads import requests or refusals, and why. None of them shows a request to anybody. */
const OTHERS: Readonly<Record<string, string>> = {
  'src/ingest/documents/document-referrers.ts':
    'those with documents that were not seen, for the lists of these',
  'src/ingest/item-sql.ts': 'the request that pinned a note, for what an account holds',
  'src/capabilities/totals/totals-check.queries.ts': 'counts',
  'src/accounts/counts/account-counts.queries.ts': 'counts',
  'src/capabilities/totals/totals.queries.ts': 'counts',
  'src/accounts/lists/account-lists.repository.ts': 'whether an account has any',
  'src/capabilities/feed/changes.queries.ts':
    'the request id of a client, for the platform, which sees all suppliers',
  'src/capabilities/undo/undo.repository.ts': 'marks undone requests',
  'src/capabilities/request-log/refusals/refusals.repository.ts': 'removes the oldest',
};

describe('import requests and refusals', () => {
  it('are shown only by src/capabilities/request-log/requests/, which knows whose they are (A8)', () => {
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
