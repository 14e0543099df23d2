import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { describeSchema } from '../../src/infrastructure/database/schema-description.js';
import { documentIn, runCommand } from '../support/cli.js';
import { ConsoleClient } from '../support/console.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { folderWith } from '../support/folders.js';
import { spawnService } from '../support/service-process.js';
import { TOKEN_SIGNING_KEY } from '../support/service.js';
import { setUp } from '../support/set-up.js';

/** A database of 1.0.0, and what its service answered. Written by scripts/upgrade-database.mjs. */
interface Kept {
  readonly keys: { readonly supplier: string; readonly platform: string };
  readonly schema: readonly string[];
  /** The rows in the form of COPY, by table and columns. */
  readonly rows: Readonly<Record<string, string>>;
  readonly sequences: readonly { readonly name: string; readonly at: string }[];
  readonly answers: readonly (Answer & { readonly path: string; readonly body?: object })[];
  readonly feed: Answer;
  readonly commands: readonly { readonly words: readonly string[]; readonly json: object }[];
  /** Path and body of an import that was undone. */
  readonly undone: readonly [string, object];
}

interface Answer {
  readonly status: number;
  readonly answer: object;
}

const kept = JSON.parse(gunzipSync(readFileSync('test/process/database-1.0.0.json.gz')).toString()) as Kept;

async function restored(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await using client = await database.connect();
  await client.query(kept.schema.join(';\n'));
  // The rows are complete: no trigger and no foreign key looks at their order.
  await client.query('SET session_replication_role = replica');
  for (const [table, rows] of Object.entries(kept.rows)) {
    await pipeline(Readable.from([rows]), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
  }
  for (const { name, at } of kept.sequences) await client.query('SELECT setval($1, $2)', [name, at]);
  return database;
}

describe('a database of 1.0.0 that this build takes over', () => {
  const database = setUp(restored);
  const settings = {
    ...{ TOKEN_SIGNING_KEY, CONSOLE: 'on', SANDBOX_VENDOR: 'on', DOCUMENT_STORE: `file://${folderWith()}` },
    // However old the file is, what was refused, staged and viewed is still there.
    ...{ RETENTION_REFUSALS_DAYS: '3650', RETENTION_STAGED_DAYS: 'none', RETENTION_VIEWS_DAYS: '3650' },
  };
  const command = async (...words: readonly string[]): Promise<unknown> =>
    documentIn((await runCommand(database, [...words, '--json'], '', settings)).stdout);
  let service: ReturnType<typeof spawnService> | undefined;
  let url: string;
  beforeAll(async () => {
    await command('database', 'migrate');
    service = spawnService({ ...settings, DATABASE_URL: database.url });
    url = await service.listening();
  });
  afterAll(async () => {
    service?.kill('SIGTERM');
    expect(await service?.ended).toBe(0);
  });

  async function sender(apiKey: string): Promise<(path: string, body?: object) => Promise<Answer>> {
    const query = `mutation { obtainServiceToken(input: {apiKey: "${apiKey}"}) { token } }`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query });
    const obtained = await fetch(`${url}/v1/graphql/`, { method: 'POST', headers, body });
    const { data } = (await obtained.json()) as { data: { obtainServiceToken: { token: string } } };
    const authorization = `Token ${data.obtainServiceToken.token}`;
    return async (path, sent) => {
      const response = await fetch(new URL(path, `${url}/v1/data-import/`), {
        ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
        headers: { ...headers, authorization },
      });
      return { status: response.status, answer: (await response.json()) as object };
    };
  }

  it('has the schema of a new one', async () => {
    expect(await describeSchema(database.sql)).toBe(readFileSync('contract/schema.sql', 'utf8'));
  });

  // Before the requests below add to the record of what was seen and refused.
  it.each(kept.commands.map(({ words, json }) => [words.join(' '), words, json] as const))(
    'prints what it printed then: %s',
    async (_name, words, json) => {
      expect(await command(...words)).toMatchObject(json);
    },
  );

  it('answers reads, repeated imports and refusals as it did then', async () => {
    const send = await sender(kept.keys.supplier);
    const statuses = new Set<string>();
    for (const { path, body, ...expected } of kept.answers) {
      const given = await send(path, body);
      expect({ path, ...given }).toMatchObject({ path, ...expected });
      for (const [, status = ''] of JSON.stringify(given).matchAll(/"status":"(\w+_ALREADY_EXISTS)"/g))
        statuses.add(status);
    }
    expect([...statuses].sort()).toEqual(['NOTE_ALREADY_EXISTS', 'TRANSACTION_ALREADY_EXISTS']);
  });

  it('has the same feed, from the first change on', async () => {
    const send = await sender(kept.keys.platform);
    const given = await send('/v1/platform/import-suppliers/NORTHERN/changes/');
    expect(given).toMatchObject(kept.feed);
  });

  it('shows every page of the console', async () => {
    const { url: link } = (await command('console', 'link', '--base-url', url)) as { url: string };
    const client = new ConsoleClient(url);
    const { pathname } = new URL(link);
    await client.post(pathname, {}, pathname);
    const parts = [
      '',
      ...['accounts', 'failures', 'differences', 'documents', 'activity', 'settings'].map(
        (part) => `/${part}`,
      ),
    ];
    const pages = [
      ...['', 'failures', 'requests', 'sessions', 'search?q=nothing'].map((page) => `/console/${page}`),
      ...parts.map((part) => `/console/suppliers/NORTHERN${part}`),
      ...['1001', '1002', '1004'].map((number) => `/console/suppliers/NORTHERN/accounts/${number}`),
    ];
    for (const page of pages)
      expect({ page, status: (await client.get(page)).status }).toEqual({ page, status: 200 });
    expect((await client.get('/console/suppliers/NORTHERN/accounts/1001')).text).toContain(
      'Meter in the cellar',
    );
  });

  it('takes what was undone again', async () => {
    const [path, body] = kept.undone;
    const { status, answer } = await (await sender(kept.keys.supplier))(path, body);
    expect({ status, answer }).toMatchObject({ status: 201, answer: [{ status: 'NOTE_CREATION_SUCCESS' }] });
  });
});
