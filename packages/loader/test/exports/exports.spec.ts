import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type World } from '../../../../test/support/service.js';
import { issueKey } from '../../../../test/support/graphql.js';
import { setUp } from '../../../../test/support/set-up.js';
import { startLoader, type LoaderEnd } from '../support/loader.js';
import type { Result } from '../../src/report/result.js';

/*
 * Exports as different billing systems write them. Each folder NAME has
 *
 *   files/         what the system has written
 *   edits.json     what a person changes in the mapping that `map` proposes, each with the words by which `map` asked for it
 *   mapping.json   the mapping after that; none where `map` says that nothing is needed
 *   expected.json  how the load ends, and what the accounts hold then
 */

interface Edit {
  /** Words of what `map` says on standard error. */
  readonly asked: string;
  /** Where in the mapping, such as `files.0.fields.type`. */
  readonly path: string;
  readonly value: unknown;
}

interface Expected {
  /** Exit code of the load. */
  readonly code: number;
  /** Words of what the load says. */
  readonly says?: readonly string[];
  /** The number of lines that the mapping leaves out. */
  readonly left_out?: number;
  /** Lines of `failures/*.errors.csv`, without the account and with the beginning of the sentence. */
  readonly failed?: readonly string[];
  /** By account what the service has in the end, in the order of their keys; by section, without sections that are empty. */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;
}

interface Section {
  readonly rows?: readonly { readonly content: object }[];
}

const EXPORTS = import.meta.dirname;
const names = readdirSync(EXPORTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const service = setUp(startService);
let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'loader-export-'));
});
afterEach(() => {
  rmSync(work, { recursive: true });
});

function read(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(EXPORTS, ...path), 'utf8'));
}

/** Change what a path of names and indexes leads to. */
function edit(mapping: object, { path, value }: Edit): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = mapping as Record<string, unknown>;
  for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
  place[last] = value;
}

/** The mapping that `map` proposes for a folder, edited as a person would who reads what it says. */
async function mappingOf(name: string, folder: string): Promise<object> {
  const { code, stdout, stderr } = await startLoader(['map', folder]).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const mapping = JSON.parse(stdout) as object;
  for (const one of read(name, 'edits.json') as Edit[]) {
    expect(stderr).toContain(one.asked);
    edit(mapping, one);
  }
  return mapping;
}

async function held({ supplier, token }: World, account: string): Promise<object> {
  const { body } = await service.get<Record<string, Section>>(
    `account-content/${supplier}/${account}/?rows=true`,
    token,
  );
  const sections = Object.entries(body).flatMap(([section, { rows = [] }]) =>
    rows.length > 0 ? [[section, inOrder(rows.map(({ content }) => content))] as const] : [],
  );
  return Object.fromEntries(sections);
}

/** By their keys, which stand in the middle of their content. */
function inOrder(rows: readonly object[]): object[] {
  const key = (row: object): string => {
    const { transaction_id: id, statement_id: bill, created_at: at } = row as Record<string, string>;
    return id ?? bill ?? `${at ?? ''} ${JSON.stringify(row)}`;
  };
  return rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function failedLines(folder: string): string[] {
  const place = join(folder, 'failures');
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith('.errors.csv'))
    .flatMap((name) => readFileSync(join(place, name), 'utf8').split('\n').slice(1, -1));
}

it.each(names)('%s is loaded with the edits that map asks for (L1, L2, L11)', async (name) => {
  const expected = read(name, 'expected.json') as Expected;
  const world = await service.given.supplier();
  const { key } = await issueKey(service, world.organisationId);
  for (const number of Object.keys(expected.accounts))
    await service.given.importedAccount({ world, number, from: '2020-01-01', to: null });
  const folder = join(work, 'files');
  cpSync(join(EXPORTS, name, 'files'), folder, { recursive: true });
  const mapping = await mappingOf(name, folder);
  const isMapped = existsSync(join(EXPORTS, name, 'mapping.json'));
  expect(mapping).toEqual(isMapped ? read(name, 'mapping.json') : { files: [] });
  const path = join(work, 'mapping.json');
  writeFileSync(path, JSON.stringify(mapping));
  const run = (command: string, ...more: string[]): Promise<LoaderEnd> => {
    const target = ['--base-url', service.baseUrl, '--supplier', world.supplier];
    const args = [command, folder, ...target, ...(isMapped ? ['--mapping', path] : []), ...more];
    return startLoader(args, { DATA_IMPORT_API_KEY: key }).ended;
  };

  const { code, stderr, stdout } = await run('load', '--json');
  expect({ code, stderr }).toMatchObject({ code: expected.code });
  expect(stderr).not.toContain('nothing uses ignore');
  for (const words of expected.says ?? []) expect(stderr).toContain(words);
  const { read: all, loaded, failed, left_out: leftOut } = JSON.parse(stdout) as Result;
  const count = leftOut.reduce((sum, { lines }) => sum + (lines ?? 0), 0);
  expect(count).toBe(expected.left_out ?? 0);
  expect([loaded + failed, failed]).toEqual([all, expected.failed?.length ?? 0]);
  const lines = failedLines(folder);
  for (const words of expected.failed ?? [])
    expect(lines).toContainEqual(expect.stringContaining(words) as string);
  const accounts = Object.keys(expected.accounts);
  const found = await Promise.all(accounts.map(async (account) => [account, await held(world, account)]));
  expect(Object.fromEntries(found)).toEqual(expected.accounts);
  expect(await run('verify')).toMatchObject({ code: expected.code });
});
