import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { inBlock, setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { VERSION } from '../src/common/version.js';
import { accounts, LoaderWorld, transaction } from './support/loader.js';
import { listening, type Listening } from '../../../test/support/listening.js';

const service = setUp(sharedService);

/** The service as one of another version; undefined: of one that says none. */
async function serviceOf(
  version: string | undefined,
): Promise<Listening & { readonly imports: () => number }> {
  let imports = 0;
  const server = createServer((incoming, response) => {
    if (incoming.url?.includes('/create/')) imports += 1;
    const { method, headers, url } = incoming;
    const sent = request(service.baseUrl + (url ?? ''), { method, headers }, (answer) => {
      const { 'x-data-import-version': own, ...others } = answer.headers;
      expect(own).toBe(VERSION);
      response.writeHead(answer.statusCode ?? 0, {
        ...others,
        ...(version !== undefined && { 'x-data-import-version': version }),
      });
      answer.pipe(response);
    });
    void buffer(incoming).then((body) => sent.end(body));
  });
  return { ...(await listening(server)), imports: () => imports };
}

const [major = '', minor = '', patch = ''] = VERSION.split('.');

describe('a loader of another version than the service', () => {
  it.each(['load', 'verify'])(
    'ends %s before anything is sent, and names both and where the right one is, where the first number differs (L15)',
    async (command) => {
      await using other = inBlock(await serviceOf(`${Number(major) + 1}.0.0`));
      const [number] = accounts(1) as [string];
      const world = await LoaderWorld.create(service, [number], {
        'transactions.ndjson': [transaction(number, 'T-1')],
      });
      const { code, stderr } = await world.run(command, [], { baseUrl: other.url });
      expect(code).toBe(2);
      expect(stderr).toContain(
        `This loader has version ${VERSION}, and the service has version ${Number(major) + 1}.0.0. They are not compatible, so nothing is sent. The loader of the service is at ${other.url}/docs/loader/.`,
      );
      expect(other.imports()).toBe(0);
    },
  );

  it.each([
    ['is told so, and loads, where the second number differs', `${major}.${Number(minor) + 1}.0`, true],
    ['is told nothing of another third number', `${major}.${minor}.${Number(patch) + 1}`, false],
    ['is told nothing where the service says no version', undefined, false],
  ])('%s (L15)', async (_what, version, isSaid) => {
    await using other = inBlock(await serviceOf(version));
    const [number] = accounts(1) as [string];
    const world = await LoaderWorld.create(service, [number], {
      'transactions.ndjson': [transaction(number, 'T-1')],
    });
    const { code, stderr } = await world.run('load', [], { baseUrl: other.url });
    expect(code).toBe(0);
    expect(stderr.includes('and the service has version')).toBe(isSaid);
    expect(other.imports()).toBeGreaterThan(0);
  });
});
