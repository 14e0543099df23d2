import { PageNotFound } from '../common/page-errors.js';
import { readRequestsQuery } from './requests-query.js';

describe('the address of the list of requests (C11)', () => {
  it.each([
    [{}],
    [{ supplier: '', outcome: '', kind: '', code: '', key: '', from: '', until: '', after: '' }],
  ])('with %j sets no filter', (query) => {
    expect(Object.values(readRequestsQuery(query)).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each([
    ...[{ outcome: 'rejected' }, { outcome: ['stored'] }, { kind: 'accounts' }, { key: 'x' }],
    ...[{ from: '2026-02-30T00:00' }, { from: '2026-01-01' }, { until: '2026-01-01T24:00' }, { until: '0' }],
  ])('with %j is no page: without the filter it would list other requests', (query) => {
    expect(() => readRequestsQuery(query)).toThrow(PageNotFound);
  });
});
