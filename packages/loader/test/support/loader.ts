import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onlyWith } from '../../../../test/support/service-process.js';
import { PROGRAM } from './program.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKey } from '../../../../test/support/graphql.js';
import { unique, type TestService, type World } from '../../../../test/support/service.js';
import { run } from '../../src/program.js';
import type { Result, VerifyResult } from '../../src/report/result.js';
import { SYSTEM_CLOCK, type Clock } from '../../src/common/clock.js';
import { folderWith } from '../../../../test/support/folders.js';

/** How a command of the loader ended. */
export interface LoaderEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs in the process of the test. */
export interface RunningLoader {
  readonly ended: Promise<LoaderEnd>;
  readonly interrupt: () => void;
  /** Exit codes with which it would have ended its process at once. */
  readonly exits: readonly number[];
}

/** Waits are short: what matters is their order. */
export const FAST_CLOCK: Clock = {
  ...SYSTEM_CLOCK,
  sleep: (ms, signal) => SYSTEM_CLOCK.sleep(Math.min(ms, 20), signal),
};

export function startLoader(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  clock = FAST_CLOCK,
): RunningLoader {
  let [stdout, stderr] = ['', ''];
  const exits: number[] = [];
  const handlers = new Set<() => void>();
  const say = (text: string): void => {
    stderr += text;
  };
  const code = run(args, {
    print: (text) => {
      stdout += text;
    },
    say: (sentence) => {
      say(`${sentence}\n`);
    },
    environment,
    errors: { isTTY: false, write: say } as unknown as NodeJS.WriteStream,
    clock,
    exit: (ended) => exits.push(ended),
    onInterrupt: (handle) => {
      handlers.add(handle);
      return () => handlers.delete(handle);
    },
  });
  return {
    ended: code.then((ended) => ({ code: ended, stdout, stderr })),
    interrupt: () => {
      for (const handle of handlers) handle();
    },
    exits,
  };
}

/** A supplier with imported accounts, and a folder that is loaded for it. */
export class LoaderWorld {
  private constructor(
    readonly service: TestService,
    readonly world: World,
    readonly apiKey: string,
    readonly folder: string,
  ) {}

  /** @param accounts numbers of accounts that are imported, with an open statement period from 2026-11-01 */
  static async create(
    service: TestService,
    accounts: readonly string[],
    files: Readonly<Record<string, string | readonly object[]>>,
  ): Promise<LoaderWorld> {
    const world = await service.given.supplier();
    const { key } = await issueKey(service, world.organisationId);
    const texts = Object.entries(files).map(([name, rows]) => [
      name,
      typeof rows === 'string' ? rows : ndjson(rows),
    ]);
    const created = new LoaderWorld(
      service,
      world,
      key,
      folderWith(Object.fromEntries(texts) as Record<string, string>),
    );
    await created.import(...accounts);
    return created;
  }

  /** Names the service and the supplier to a command. */
  readonly target = (baseUrl = this.service.baseUrl): string[] => [
    ...['--base-url', baseUrl, '--supplier', this.world.supplier],
  ];

  /** Import more accounts. */
  async import(...numbers: string[]): Promise<void> {
    await this.service.given.importedAccounts(this.world, numbers, { from: '2026-11-01', to: '2026-11-30' });
  }

  start(
    command: string,
    args: readonly string[] = [],
    { baseUrl = this.service.baseUrl, clock = FAST_CLOCK } = {},
  ): RunningLoader {
    const sends = ['load', 'retry', 'verify'].includes(command);
    return startLoader(
      [command, this.folder, ...(sends ? this.target(baseUrl) : []), ...args],
      { DATA_IMPORT_API_KEY: this.apiKey },
      clock,
    );
  }

  /** Start the built program in a process of its own. @param shell what starts it, and has its words as arguments */
  spawn(
    command: string,
    args: readonly string[] = [],
    { baseUrl = this.service.baseUrl, folder = this.folder, shell = [] as readonly string[] } = {},
  ): { readonly child: ChildProcess; readonly ended: Promise<LoaderEnd> } {
    const words = [...shell, process.execPath, PROGRAM, command, folder, ...this.target(baseUrl), ...args];
    const child = spawn(words[0]!, words.slice(1), {
      env: onlyWith({ DATA_IMPORT_API_KEY: this.apiKey }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close') as Promise<[number]>;
    const ended = Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { child, ended: ended.then(([stdout, stderr, [code]]) => ({ code, stdout, stderr })) };
  }

  run(
    command: string,
    args: readonly string[] = [],
    options: { baseUrl?: string; clock?: Clock } = {},
  ): Promise<LoaderEnd> {
    return this.start(command, args, options).ended;
  }

  /** @returns the result of a command with `--json`, and how it ended */
  async json(
    command: string,
    args: readonly string[] = [],
    options: { baseUrl?: string; clock?: Clock } = {},
  ): Promise<LoaderEnd & { result: Result }> {
    const end = await this.run(command, [...args, '--json'], options);
    if (end.stdout === '') throw new Error(`The loader printed nothing: ${end.stderr}`);
    return { ...end, result: JSON.parse(end.stdout) as Result };
  }

  /** Compare the folder, and others, with the service. */
  async verify(
    args: readonly string[] = [],
    options: { baseUrl?: string; clock?: Clock } = {},
  ): Promise<LoaderEnd & { result: VerifyResult }> {
    const end = await this.run('verify', [...args, '--json'], options);
    if (end.stdout === '') throw new Error(`The loader printed nothing: ${end.stderr}`);
    return { ...end, result: JSON.parse(end.stdout) as VerifyResult };
  }

  /** How many rows of a kind an account has. */
  async stored(table: string): Promise<Record<string, number>> {
    const rows = await this.service.database.sql<{ number: string; count: number }>(
      `SELECT t.external_account_number AS number, count(*)::int AS count
         FROM ${table} t JOIN import_supplier s ON s.id = t.import_supplier_id
        WHERE s.code = $1 GROUP BY 1 ORDER BY 1`,
      [this.world.supplier],
    );
    return Object.fromEntries(rows.map(({ number, count }) => [number, count]));
  }

  /** A file of the folder. */
  read(...path: string[]): string {
    return readFileSync(join(this.folder, ...path), 'utf8');
  }
}

export function ndjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

export function transaction(account: string, id: string, more: object = {}): object {
  return {
    external_account_number: account,
    transaction_id: id,
    transaction_date: '2026-11-05',
    amount: 12.5,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    ...more,
  };
}

export function note(account: string, body: string, more: object = {}): object {
  return { external_account_number: account, body, created_at: '2026-11-02T09:30:00Z', ...more };
}

export function statement(account: string, id: string, more: object = {}): object {
  return {
    external_account_number: account,
    statement_id: id,
    bill_period_from_date: '2026-10-01',
    bill_period_to_date: '2026-10-31',
    ...more,
  };
}

export function instruction(account: string, reference: string, more: object = {}): object {
  return { external_account_number: account, vendor: 'SANDBOX', reference, type: 'CARD', ...more };
}

/** Numbers of accounts that nothing else has. */
export function accounts(count: number): string[] {
  const prefix = unique('A');
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`);
}
