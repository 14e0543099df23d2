import { readRequestsQuery } from './requests-query.js';

describe('the address of the list of requests (C11)', () => {
  it.each([
    [{}],
    [{ supplier: '', outcome: '', kind: '', code: '', key: '', from: '', until: '', after: '' }],
    [{ outcome: 'lost', kind: 'accounts', key: 'x', from: '2026-02-30T00:00', until: '2026-01-01T24:00' }],
    [{ supplier: ['a'], outcome: ['stored'], code: 'a\0', from: '2026-01-01', until: '0' }],
  ])('with %j sets no filter', (query) => {
    expect(Object.values(readRequestsQuery(query)).filter((value) => value !== undefined)).toEqual([]);
  });
});
