import { linkUrl, serviceUrl } from './console-url.js';

describe('the address of a sign-in link', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['import.example', 'http://import.example:3000'],
  ])('of a service that listens on %s begins with %s', (HOST, url) => {
    expect(linkUrl(serviceUrl({ HOST, PORT: 3000 }), 'CODE')).toBe(`${url}/console/sign-in/CODE`);
  });
});
