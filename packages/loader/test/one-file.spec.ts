import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createAuthority } from '../../../test/support/certificates.js';
import { startForwardProxy, startTlsFront, type ForwardProxy } from '../../../test/support/forward-proxy.js';
import { startService, type TestService } from '../../../test/support/service.js';
import { VERSION } from '../src/common/version.js';
import { accounts, instruction, LoaderWorld, note, statement, transaction } from './support/loader.js';
import { folderWith } from '../../../test/support/folders.js';

const PROGRAM = 'data-import-loader.mjs';
const HOST = 'import.example.test';

let service: TestService;
let front: Awaited<ReturnType<typeof startTlsFront>>;
let proxy: ForwardProxy;
/** Where the loader is, and nothing else. */
let folder: string;
let root: string;

beforeAll(async () => {
  service = await startService();
  folder = folderWith();
  const authority = await createAuthority();
  front = await startTlsFront(service.baseUrl, await authority.issue({ host: HOST }));
  proxy = await startForwardProxy({ [`${HOST}:443`]: front.port });
  root = join(folderWith(), 'root.pem');
  writeFileSync(root, authority.cert);
  const program = await fetch(`${service.baseUrl}/docs/loader/${PROGRAM}`);
  writeFileSync(join(folder, PROGRAM), Buffer.from(await program.arrayBuffer()));
});
afterAll(async () => {
  await proxy.stop();
  await front.stop();
  await service.stop();
});

interface End {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
  /** Hosts that were connected to or looked up. */
  readonly connections: readonly string[];
}

async function run(
  world: LoaderWorld,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<End> {
  const connections = join(dirname(root), 'connections');
  writeFileSync(connections, '');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: {
      CONNECTIONS: connections,
      NODE_OPTIONS: `--require ${join(import.meta.dirname, 'support', 'alone.cjs')}`,
      DATA_IMPORT_API_KEY: world.apiKey,
      DATA_IMPORT_SUPPLIER: world.world.supplier,
      DATA_IMPORT_BASE_URL: `https://${HOST}`,
      NODE_EXTRA_CA_CERTS: root,
      HTTPS_PROXY: proxy.url,
      ...env,
    },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<unknown[]>,
  ]);
  const noted = readFileSync(connections, 'utf8').split('\n').filter(Boolean);
  return { code, stdout, stderr, connections: [...new Set(noted)].sort() };
}

describe('the loader in one file', () => {
  it('loads and proves a folder, alone in its folder, through a proxy and with an authority of its own (L15)', async () => {
    for (let above = folder; above !== dirname(above); above = dirname(above))
      expect(existsSync(join(above, 'node_modules'))).toBe(false);
    const [first, second] = accounts(2) as [string, string];
    const world = await LoaderWorld.create(service, [first, second], {
      'notes.ndjson': [note(first, 'A note')],
      'statements.ndjson': [statement(first, 'S-1')],
      'payment-instructions.ndjson': [instruction(second, 'ok_1')],
      'transactions.csv': `external_account_number,transaction_id,transaction_date,amount,type,reason\n${first},T-1,2026-11-05,12.50,CHARGE,IMPORTED_CHARGE\n`,
    });
    const { hostname, port } = new URL(proxy.url);
    const only = [`${hostname}:${port}`];
    const rehearsed = await run(world, ['load', world.folder, '--dry-run']);
    expect(rehearsed).toMatchObject({ code: 0, connections: only });
    const loaded = await run(world, ['load', world.folder]);
    expect(loaded).toMatchObject({ code: 0, connections: only });
    await rm(join(world.folder, '.data-import-loader', 'verify'), { recursive: true });
    const proven = await run(world, ['verify', world.folder, '--json']);
    expect(proven).toMatchObject({ code: 0, connections: only });
    expect(JSON.parse(proven.stdout)).toMatchObject({ rows: { matched: 4, missing: 0 } });
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${HOST}:443`]));
    expect(readdirSync(folder)).toEqual([PROGRAM]);
  });

  it('names itself in the commands that come next, and its version (L15)', async () => {
    const [number] = accounts(1) as [string];
    const world = await LoaderWorld.create(service, [], {
      'transactions.ndjson': [transaction(number, 'T-1')],
    });
    const { stderr, code } = await run(world, ['load', world.folder]);
    expect(code).toBe(1);
    expect(stderr).toContain(`node ${PROGRAM} retry ${world.folder}`);
    expect((await run(world, ['--version'])).stdout).toBe(`${VERSION}\n`);
  });

  it('does not trust an authority that it was not given (L15)', async () => {
    const world = await LoaderWorld.create(service, [], { 'transactions.ndjson': [transaction('1', 'T-1')] });
    const { code, stderr } = await run(world, ['load', world.folder], { NODE_EXTRA_CA_CERTS: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/has a certificate that is not trusted; NODE_EXTRA_CA_CERTS .*\(UNABLE_TO_/);
  });
});
