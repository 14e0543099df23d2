import { wantedPage } from './wanted-page.js';

describe('the page after a sign-in', () => {
  it.each([
    ['/console/', '/console/'],
    ['/console/suppliers/A%2FB/failures?page=2', '/console/suppliers/A%2FB/failures?page=2'],
    ['/console/x/../requests', '/console/requests'],
  ])('may be %s', (named, page) => {
    expect(wantedPage(named)).toBe(page);
  });

  it.each([
    ['nothing', [undefined, ['/console/'], '', '/']],
    ['another site', ['https://example.com/console/', '//example.com/console/', '/\\example.com/console/']],
    ['outside the console', ['/v1/data-import/', '/console', '/console/../v1/', '/console/%2e%2e/v1/']],
    ['somewhere else by backslashes or slashes', ['/console/\\..\\..\\v1', '/console/..//example.com/']],
    ['written with odd characters', ['/console/a\tb', '/console/a\nb', '/console/é']],
    ['the sign-in itself', ['/console/sign-in?next=/console/sign-in', '/console/sign-out']],
  ])('is not %s', (_what, named) => {
    expect(named.filter((one) => wantedPage(one) !== undefined)).toEqual([]);
  });
});
