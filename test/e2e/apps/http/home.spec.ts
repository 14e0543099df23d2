import { expectError } from '../../../support/expect-error.js';
import { startService, type TestService } from '../../../support/service.js';

/** The Accept header of Firefox, Chromium and Safari. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Status, location and Vary of the answer to a GET of `/`. */
async function home(
  { baseUrl }: TestService,
  accept: string | undefined,
  method = 'GET',
  path = '/',
): Promise<unknown[]> {
  const headers = accept === undefined ? undefined : { accept };
  const response = await fetch(baseUrl + path, { method, redirect: 'manual', ...(headers && { headers }) });
  await response.body?.cancel();
  return [response.status, response.headers.get('location'), response.headers.get('vary')];
}

describe('the root of the service', () => {
  it.each([
    [{ CONSOLE: 'on' }, '/console/'],
    [{ CONSOLE: 'off' }, '/docs/'],
  ])('with %j leads browsers to %s, and is unknown to all others (C15)', async (settings, location) => {
    const service = await startService(settings);
    for (const accept of [BROWSER, 'text/html', 'application/json, Text/HTML;q=0.5', 'text/html;level=1'])
      expect(await home(service, accept)).toEqual([303, location, 'Accept']);
    expect(await home(service, BROWSER, 'HEAD')).toEqual([303, location, 'Accept']);
    expect(await home(service, BROWSER, 'GET', '/?a=b')).toEqual([303, location, 'Accept']);
    for (const accept of [
      '*/*',
      'application/json',
      'text/html;q=0',
      'text/html;q=0.0, */*',
      'text/html2',
      undefined,
    ])
      expect(await home(service, accept)).toEqual([404, null, 'Accept']);
    expect(await home(service, BROWSER, 'POST')).toEqual([404, null, null]);
    expectError(await service.call('/', { method: 'GET' }), 404, 'not_found', []);
    expect((await home(service, BROWSER, 'GET', '/nowhere'))[0]).toBe(404);
    await service.stop();
  });

  it('redirects nowhere without console and docs (C15)', async () => {
    const service = await startService({ CONSOLE: 'off', DOCS: 'off' });
    expect(await home(service, BROWSER)).toEqual([404, null, null]);
    await service.stop();
  });
});
