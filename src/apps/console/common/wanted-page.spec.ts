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
    undefined,
    ['/console/'],
    '',
    '/',
    '/v1/data-import/',
    'https://example.com/console/',
    '//example.com/console/',
    '/\\example.com/console/',
    '/console/\\..\\..\\v1',
    '/console/../v1/',
    '/console/%2e%2e/v1/',
    '/console/..//example.com/',
    '/console/a\tb',
    '/console/a\nb',
    '/console/é',
    '/console',
    '/console/sign-in?next=/console/sign-in',
    '/console/sign-out',
  ])('is not %j', (named) => {
    expect(wantedPage(named)).toBeUndefined();
  });
});
