import { routeTo } from './route.js';

const OPTIONS = { timeoutMs: 1_000 };

const proxied = (address: string, noProxy: string, proxy = 'http://proxy:3128'): boolean =>
  routeTo(new URL(address), OPTIONS, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: noProxy }).proxy !==
  undefined;

describe('the route to an address', () => {
  it.each([
    ['https://import.example.com', ''],
    ['https://import.example.com', 'other.example.com'],
    ['https://import.example.com', 'port.example.com'],
    ['https://import.example.com', 'import.example.com:8443'],
    ['https://10.0.0.1', '10.0.0.10,10.0.0'],
    ['http://[::1]:3000', '[::1]:80'],
  ])('to %s goes through the proxy with NO_PROXY "%s" (L15)', (address, noProxy) => {
    expect(proxied(address, noProxy)).toBe(true);
  });

  it.each([
    ['https://import.example.com', '*'],
    ['https://import.example.com', 'import.example.com'],
    ['https://Import.Example.com', 'localhost,IMPORT.example.COM'],
    ['https://import.example.com', 'example.com'],
    ['https://import.example.com', '.example.com'],
    ['https://import.example.com', '*.example.com'],
    ['https://import.example.com', 'import.example.com:443'],
    ['http://import.example.com', 'localhost import.example.com:80'],
    ['https://import.example.com:8443', 'example.com:8443'],
    ['https://10.0.0.1', '10.0.0.1'],
    ['http://[::1]:3000', '::1'],
    ['http://[::1]:3000', '[::1]'],
    ['http://[::1]:3000', '[::1]:3000'],
  ])('to %s is direct with NO_PROXY "%s" (L15)', (address, noProxy) => {
    expect(proxied(address, noProxy)).toBe(false);
  });

  it('is direct if the proxy is empty, and prefers names in lower case (L15)', () => {
    expect(proxied('https://import.example.com', '', '')).toBe(false);
    const environment = { https_proxy: 'http://lower:1', HTTPS_PROXY: 'http://upper:2' };
    expect(routeTo(new URL('https://import.example.com'), OPTIONS, environment).proxy).toBe('lower:1');
    expect(
      routeTo(new URL('https://import.example.com'), OPTIONS, { HTTP_PROXY: 'http://plain:3' }).proxy,
    ).toBe(undefined);
  });
});
