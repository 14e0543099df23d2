import { memoryLog } from '../../../support/memory-log.js';
import { startService } from '../../../support/service.js';
import { inBlock } from '../../../support/set-up.js';

/** A route that depends on the client's address. */
const ROUTE = '/v1/graphql/';

/** The warnings, with their number, after two requests with the headers. */
async function warningsAfter(
  settings: Record<string, string>,
  headers: Record<string, string>,
): Promise<string[]> {
  const log = memoryLog('warn');
  await using service = inBlock(await startService(settings, { logger: log.logger }));
  await service.call(ROUTE, {});
  await service.call(ROUTE, { headers });
  await service.call(ROUTE, { headers });
  return log.lines().map(({ msg }) => String(msg));
}

describe('the header with the client’s address', () => {
  const X_FORWARDED_FOR = { 'x-forwarded-for': '198.51.100.1' };

  it.each<[string, Record<string, string>]>([
    ['without TRUSTED_PROXIES', {}],
    ['when the peer is not one of them', { TRUSTED_PROXIES: '192.0.2.1' }],
  ])('causes one warning, %s, that names its setting (A9)', async (_when, settings) => {
    const [warning, ...further] = await warningsAfter(settings, X_FORWARDED_FOR);
    expect(warning).toMatch(/X-Forwarded-For from 127\.0\.0\.1, which is not in TRUSTED_PROXIES/);
    expect(further).toEqual([]);
  });

  it('is warned of when it is Forwarded, which is never read (A9)', async () => {
    const settings = { TRUSTED_PROXIES: '127.0.0.1' };
    const [warning, ...further] = await warningsAfter(settings, { forwarded: 'for=198.51.100.1' });
    expect(warning).toMatch(/with Forwarded from 127\.0\.0\.1, which is not read.* X-Forwarded-For/);
    expect(further).toEqual([]);
  });

  it('causes one warning if it reports TLS, unless the proxy is trusted (A10)', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const [warning, ...further] = await warningsAfter({}, headers);
    expect(warning).toMatch(/X-Forwarded-Proto: https from 127\.0\.0\.1, which is not in TRUSTED_PROXIES/);
    expect(further).toEqual([]);
    expect(await warningsAfter({ TRUSTED_PROXIES: '127.0.0.1' }, headers)).toEqual([]);
    expect(await warningsAfter({}, { 'x-forwarded-proto': 'http' })).toEqual([]);
  });

  it('is read from a trusted proxy without a warning (A9)', async () => {
    const both = { ...X_FORWARDED_FOR, forwarded: 'for=198.51.100.1' };
    expect(await warningsAfter({ TRUSTED_PROXIES: '127.0.0.1' }, both)).toEqual([]);
  });
});
