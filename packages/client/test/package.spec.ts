import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { extract, list } from 'tar';
import ts from 'typescript';
import { issueKey } from '../../../test/support/graphql.js';
import { startService } from '../../../test/support/service.js';
import { setUp, inBlock } from '../../../test/support/set-up.js';
import { listening, type Listening } from '../../../test/support/listening.js';

const ELEMENTS = 150_000;
/** Far less than this many accounts would need. */
const HEAP_MB = 24;
const RESIDENT_MB_MAX = 200;

/** A folder in which only the packed client and its dependency are installed. */
let folder: string;
let tarball: string;
/** Path of the installed package. */
let path: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'data-import-client-')));
  const args = ['pack', '--workspace', 'packages/client', '--pack-destination', folder, '--json'];
  const packed = spawnSync('npm', args, { encoding: 'utf8' });
  expect(packed.stderr).toBe('');
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  tarball = join(folder, filename);
  path = join(folder, 'node_modules', '@data-import', 'client');
  await mkdir(path, { recursive: true });
  await extract({ file: tarball, cwd: path, strip: 1 });
  await symlink(resolve('node_modules/undici'), join(folder, 'node_modules', 'undici'), 'junction');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Run a module in that folder. */
async function run(
  code: string,
  { env = {}, flags = [] }: { env?: Record<string, string>; flags?: string[] } = {},
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const file = join(folder, 'program.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [...flags, file], { cwd: folder, env });
  const [stdout, stderr, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<unknown[]>,
  ]);
  return { code: exit, stdout, stderr };
}

async function example(): Promise<string> {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(await readFile('packages/client/README.md', 'utf8'))!;
  return code;
}

it('contains its build, README and licence, and nothing else', async () => {
  const files: string[] = [];
  await list({ file: tarball, onReadEntry: ({ path }) => files.push(path) });
  const others = files.filter((path) => !/^package\/dist\/[\w.-]+\.(js|d\.ts)$/.test(path));
  expect(others.sort()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
  expect(files.filter((path) => /spec|test/.test(path))).toEqual([]);
  const { dependencies } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  expect(Object.keys(dependencies)).toEqual(['undici']);
});

it('has all types that the example of its README needs', async () => {
  const file = join(folder, 'example.mts');
  const environment = 'DATA_IMPORT_BASE_URL: string; DATA_IMPORT_API_KEY: string';
  await writeFile(file, (await example()).replaceAll('process.env', `(process.env as { ${environment} })`));
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction');
  }
  const program = ts.createProgram([file], {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true },
    ...{
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(folder, 'node_modules', '@types')],
    },
  });
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  expect(own.length).toBeGreaterThan(5);
  const problems = own.flatMap((source) => program.getSemanticDiagnostics(source));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

describe('with the service', () => {
  const service = setUp(startService);

  it('the example of its README works as described, and again when repeated', async () => {
    const world = { ...(await service.given.supplier()), supplier: 'ACME' };
    await service.database.sql(
      "INSERT INTO import_supplier (code, name, document_root) VALUES ('ACME', 'Acme', 'acme')",
    );
    await service.given.grant('ACME', world.organisationId);
    await service.given.importedAccount({ world, number: '1001', from: '2026-11-01' });
    const { key } = await issueKey(service, world.organisationId);
    const env = { DATA_IMPORT_BASE_URL: service.baseUrl, DATA_IMPORT_API_KEY: key };
    const first = await run(await example(), { env });
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^1001 A-\w{8}\nL-1 TRANSACTION_ADDED_TO_ACCOUNT\nL-2 TRANSACTION_ADDED_TO_ACCOUNT\n$/,
      ) as string,
    });
    const { stdout } = await run(await example(), { env });
    expect(stdout).toContain('L-1 TRANSACTION_ALREADY_EXISTS\nL-2 TRANSACTION_ALREADY_EXISTS\n');
  });
});

const ACCOUNT = { service_account_number: 'A-00000001', account_created_at: '2026-11-01T06:00:00Z' };

/** Makes the part of an answer with the next thousand elements. */
type Elements = (from: number) => string;

const listOfAccounts: Elements = (from) => {
  const accounts = thousandFrom(from).map((number) => ({ external_account_number: number, ...ACCOUNT }));
  const end = from + 1_000 === ELEMENTS ? ']' : '';
  return `${from === 0 ? '[' : ','}${JSON.stringify(accounts).slice(1, -1)}${end}`;
};

const linesOfChanges: Elements = (from) =>
  thousandFrom(from)
    .map((sequence) => `${JSON.stringify({ type: 'account.imported', sequence, data: ACCOUNT })}\n`)
    .join('');

function thousandFrom(from: number): string[] {
  return Array.from({ length: 1_000 }, (_, at) => String(from + at));
}

it.each([
  [
    'list of accounts',
    listOfAccounts,
    `import { DataImportClient as Client } from '@data-import/client';
     const read = (client) => client.listAllAccountImportProcesses('ACME');
     const numberOf = ({ external_account_number: number }) => number;`,
  ],
  [
    'history of changes',
    linesOfChanges,
    `import { PlatformClient as Client } from '@data-import/client/platform';
     const read = (client) => client.changes({ supplier: 'ACME' });
     const numberOf = ({ change }) => change.sequence;`,
  ],
])('reads a long %s in constant memory', async (_, elements, reading) => {
  await using server = inBlock(await startServerOf(elements));
  const { code, stdout, stderr } = await run(
    `${reading}
     const client = new Client({ baseUrl: '${server.url}', apiKey: 'k' });
     let [count, sum, residentBytes] = [0, 0, 0];
     for await (const element of read(client)) {
       count += 1;
       sum += Number(numberOf(element));
       // Not resourceUsage().maxRSS: on Linux it starts with the value of the parent process.
       if (count % 10_000 === 0) residentBytes = Math.max(residentBytes, process.memoryUsage.rss());
       if (count === ${ELEMENTS}) break;
     }
     console.log(JSON.stringify({ count, sum, residentMb: residentBytes / 2 ** 20 }));`,
    { flags: [`--max-old-space-size=${HEAP_MB}`] },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { count, sum, residentMb } = JSON.parse(stdout) as { count: number; sum: number; residentMb: number };
  expect([count, sum]).toEqual([ELEMENTS, (ELEMENTS * (ELEMENTS - 1)) / 2]);
  expect(residentMb).toBeLessThan(RESIDENT_MB_MAX);
});

/** Start a server that issues a token and answers every other request with all elements. */
function startServerOf(elements: Elements): Promise<Listening> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/v1/graphql/') {
      const times = { payload: { iat: 0, exp: 3_600 }, refreshExpiresIn: 9_000 };
      const token = { token: 't', refreshToken: 'r', ...times };
      response.end(JSON.stringify({ data: { obtainServiceToken: token } }));
    } else {
      response.setHeader('feed-epoch', 'e');
      void sendAll(elements, response);
    }
  });
  return listening(server);
}

async function sendAll(elements: Elements, response: ServerResponse): Promise<void> {
  for (let from = 0; from < ELEMENTS; from += 1_000) {
    if (!response.write(elements(from))) await once(response, 'drain');
  }
  response.end();
}
