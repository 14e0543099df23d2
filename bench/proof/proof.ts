import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedSite } from '../../test/support/reliability/sites.js';
import { TOKEN_SIGNING_KEY } from '../../test/support/service.js';
import { waitUntil } from '../../test/support/wait-until.js';
import { obtainToken } from '../contenders/service.js';
import { LOADER_PROGRAM, PROJECT } from '../paths.js';
import { cleanEnvironment, runCommand, type ProcessResult } from '../processes/child.js';
import { grouped } from '../report.js';
import { DAMAGES, NOTE_KEY_LENGTH, type Damage, type Difference } from './damages.js';

const SUPPLIER = 'PROOF';
const LOADER = join(PROJECT, LOADER_PROGRAM);
const COMMAND_TIMEOUT_MS = 1_800_000;
/** Printed by the loader's process at its end: its highest resident memory, in kilobytes. */
const TELL_MEMORY = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nmemory '+process.resourceUsage().maxRSS+'\\n'))`;
/** Of the sample: transactions, notes, statements and an instruction. */
const ROWS_PER_ACCOUNT = 25;
/** Of which the middle one counts. */
const ROUNDS = 3;
/** The sample has a request of each kind for an account. */
const REQUESTS_PER_ACCOUNT = 4;

/** What is killed, when this part of the requests is stored. */
const KILLS = [
  ['loader', 0.1],
  ['service', 0.25],
  ['PostgreSQL', 0.4],
  ['loader', 0.55],
  ['service', 0.7],
  ['PostgreSQL', 0.85],
] as const;

/** Of the sample. */
export interface Sample {
  readonly accounts: number;
  readonly seed: number;
}

/** The JSON document of `verify` (choice V9). */
interface Verification {
  readonly accounts: Readonly<Record<'matched' | 'different' | 'missing' | 'unexpected', number>>;
  readonly rows: Readonly<Record<'matched' | 'different' | 'missing' | 'unexpected', number>>;
  readonly digest: string;
  readonly service_digest: string;
  readonly differences: readonly Difference[];
}

interface Effort {
  readonly seconds: number;
  readonly megabytes: number;
  readonly effort: string;
}

/** A step as the page tells it. */
export interface Step {
  readonly what: string;
  readonly verdict: string;
  readonly seconds: number;
}

/**
 * Proves a migration, and shows that the proof can fail: loads a sample while loader, service and PostgreSQL are killed, verifies it,
 * damages the database in several ways one after the other, undoes a third of the requests and loads them again.
 */
export class Proof {
  private readonly steps: Step[] = [];
  private readonly files: string;
  private apiKey = '';

  constructor(
    private readonly site: EmbeddedSite,
    folder: string,
    private readonly sample: Sample,
    private readonly log: (sentence: string) => void,
  ) {
    this.files = join(folder, 'files');
  }

  /** @throws Error when a step ends otherwise than it must */
  async run(): Promise<readonly Step[]> {
    await this.prepare();
    const kills = await this.loadThroughKills();
    await this.step(`loaded; killed meanwhile: ${kills.join(', ')}`, () => this.expectMatched());
    await this.step('the list of what accounts hold, read alone', () => this.readList());
    await this.step('first runs of `verify`, each behind the list read alone', () => this.compareRates());
    for (const damage of DAMAGES) await this.step(damage.what, () => this.damage(damage));
    await this.step('everything as it was', () => this.expectMatched());
    await this.undoAndLoadAgain();
    await this.step('`migration complete`, then `migration certificate`', () => this.complete());
    return this.steps;
  }

  /** A supplier with imported accounts, whose control totals are staged with them. */
  private async prepare(): Promise<void> {
    const { accounts, seed } = this.sample;
    this.log(`Writing files for ${grouped(accounts)} accounts …`);
    await this.loader(['sample', this.files, '--accounts', String(accounts), '--seed', String(seed)], 0);
    await this.operator('organisation', 'create', 'Proof');
    await this.operator('supplier', 'create', SUPPLIER, '--name', 'Proof', '--organisation', 'Proof');
    const { key } = (await this.operator('api-key', 'issue', 'Proof')) as { key: string };
    this.apiKey = key;
    await this.operator('accounts', 'stage', SUPPLIER, join(this.files, 'accounts.ndjson'));
    await this.operator('accounts', 'import', SUPPLIER);
  }

  /** @returns what was killed, in this order */
  private async loadThroughKills(): Promise<readonly string[]> {
    const requests = this.sample.accounts * REQUESTS_PER_ACCOUNT;
    let loader = this.startLoading();
    for (const [what, part] of KILLS) {
      this.log(`Loading; ${what} is killed at ${Math.round(part * 100)} % …`);
      await this.stored(part * requests);
      if (what === 'loader') {
        loader.kill('SIGKILL');
        await once(loader, 'close');
        loader = this.startLoading();
      } else if (what === 'service') {
        await this.site.restartAfter('SIGKILL');
      } else {
        await this.site.signalPostgres('SIGKILL');
      }
    }
    const [code] = (await once(loader, 'close')) as [number | null];
    if (code !== 0) throw new Error(`The loader ended with ${code}.`);
    return KILLS.map(([what]) => what);
  }

  private startLoading(): ChildProcess {
    const args = ['load', this.files, '--base-url', this.site.origin, '--supplier', SUPPLIER];
    return spawn(process.execPath, [LOADER, ...args], {
      env: cleanEnvironment({ DATA_IMPORT_API_KEY: this.apiKey }),
      stdio: 'ignore',
    });
  }

  /** Wait until so many requests are stored. */
  private async stored(requests: number): Promise<void> {
    let before = -1;
    for (;;) {
      const start = await this.countRequests();
      if (start >= requests) return;
      if (start === before) this.log(`${start} of ${requests} requests are stored.`);
      before = start;
      await waitUntil('more requests are stored', async () => {
        const count = await this.countRequests();
        return count >= requests || count > start + requests / 20;
      });
    }
  }

  private async countRequests(): Promise<number> {
    const [row] = await this.site.database.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM import_request',
    );
    return row!.count;
  }

  /** `verify` without what an earlier run has kept, against the list alone: whole times, in turn. */
  private async compareRates(): Promise<string> {
    const shares: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { seconds } = await this.timeList();
      rmSync(join(this.files, '.data-import-loader', 'verify'), { recursive: true });
      const first = await this.verify(0);
      shares.push(seconds / first.seconds);
      most = Math.max(most, first.megabytes);
    }
    const [least = 0, middle = 0, highest = 0] = shares.sort((one, other) => one - other);
    const [share, low, high] = [middle, least, highest].map((one) => one.toFixed(2));
    return `${share} of the rate of the list (${low} to ${high} in ${ROUNDS} rounds), ${most.toFixed(0)} MB at most`;
  }

  /** For comparison: what `verify` needs of the service. */
  private async readList(): Promise<string> {
    const { seconds, characters } = await this.timeList();
    const rows = this.sample.accounts * ROWS_PER_ACCOUNT;
    return `${grouped(rows / seconds)} rows/s, ${(characters / 1e6).toFixed(1)} MB`;
  }

  private async timeList(): Promise<{ seconds: number; characters: number }> {
    const authorization = `Token ${await obtainToken(this.site.origin, this.apiKey)}`;
    const address = `${this.site.origin}/v1/data-import/account-contents/${SUPPLIER}/`;
    const start = performance.now();
    const list = await (await fetch(address, { headers: { authorization } })).text();
    return { seconds: (performance.now() - start) / 1_000, characters: list.length };
  }

  private async damage({ change, repair, expected }: Damage): Promise<string> {
    for (const text of change) await this.site.database.sql(text);
    const { differences } = await this.verify(1);
    for (const text of repair) await this.site.database.sql(text);
    const found = differences.map(withoutPlace).sort();
    if (JSON.stringify(found) !== JSON.stringify(expected.map(withoutPlace).sort())) {
      throw new Error(`verify has found ${JSON.stringify(differences)}.`);
    }
    return differences.map(toSentence).join('; ');
  }

  private async undoAndLoadAgain(): Promise<void> {
    const [row] = await this.site.database.sql<{ moment: Date }>(
      `SELECT percentile_disc(1 / 3.0) WITHIN GROUP (ORDER BY stored_at) AS moment FROM import_request`,
    );
    await this.operator('supplier', 'set', SUPPLIER, '--status', 'paused');
    let undone = { requests: 0, rows: {} as Readonly<Record<string, number>> };
    await this.step('`imports undo` of a third of the requests', async () => {
      const filter = ['--until', row!.moment.toISOString(), '--reason', 'the wrong file', '--yes'];
      undone = (await this.operator('imports', 'undo', SUPPLIER, ...filter)) as typeof undone;
      return `${grouped(undone.requests)} requests, ${grouped(sum(undone.rows))} rows`;
    });
    await this.step('`verify` after it', async () => {
      const { rows } = await this.verify(1);
      if (rows.missing !== sum(undone.rows) || rows.different + rows.unexpected > 0) {
        throw new Error(`verify has found ${JSON.stringify(rows)}.`);
      }
      return `${grouped(rows.missing)} rows missing, none different, none unexpected`;
    });
    await this.operator('supplier', 'set', SUPPLIER, '--status', 'ongoing');
    await this.step('`load --again`', async () => {
      const target = ['--base-url', this.site.origin, '--supplier', SUPPLIER, '--again', '--json'];
      const { stdout } = await this.loader(['load', this.files, ...target], 0);
      const { loaded, already } = JSON.parse(stdout) as { loaded: number; already: number };
      return `${grouped(loaded)} rows loaded, ${grouped(already)} already there; statements and instructions that were there count as loaded`;
    });
    await this.step('`verify` after it', () => this.expectMatched());
  }

  private async complete(): Promise<string> {
    await this.operator('migration', 'complete', SUPPLIER);
    const { digest, control } = (await this.operator('migration', 'certificate', SUPPLIER)) as {
      digest: string;
      control: object;
    };
    const { digest: ofFiles } = await this.verify(0);
    if (digest !== ofFiles) throw new Error(`The certificate has ${digest}, the files have ${ofFiles}.`);
    return `the digest of the files and of the certificate is \`${digest}\`; control totals ${JSON.stringify(control)}`;
  }

  private async expectMatched(): Promise<string> {
    const { accounts, rows, digest, service_digest, effort } = await this.verify(0);
    if (digest !== service_digest) throw new Error('All matched, but the digests differ.');
    return `all matched: ${grouped(rows.matched)} rows of ${grouped(accounts.matched)} accounts (${effort})`;
  }

  private async verify(exitCode: number): Promise<Verification & Effort> {
    const target = ['--base-url', this.site.origin, '--supplier', SUPPLIER, '--json'];
    const { stdout, stderr, seconds } = await this.loader(['verify', this.files, ...target], exitCode);
    const found = JSON.parse(stdout) as Verification;
    const rows = sum(found.rows) / seconds;
    // Of each thread one, and each is of the whole process.
    const kilobytes = [...stderr.matchAll(/^memory (\d+)$/gm)].map(([, number]) => Number(number));
    const megabytes = Math.max(...kilobytes) / 1_024;
    const effort = `${grouped(rows)} rows/s, ${megabytes.toFixed(0)} MB at most`;
    return { ...found, seconds, megabytes, effort };
  }

  private async step(what: string, work: () => Promise<string>): Promise<void> {
    this.log(what);
    const start = performance.now();
    const verdict = await work();
    this.log(`  ${verdict}`);
    this.steps.push({ what, verdict, seconds: (performance.now() - start) / 1_000 });
  }

  private async operator(...args: string[]): Promise<unknown> {
    const settings = { DATA_DIR: this.site.dataDir, TOKEN_SIGNING_KEY, OPERATOR: 'proof' };
    const cli = [join(PROJECT, 'scripts', 'cli.mjs'), ...args, '--json'];
    return JSON.parse((await runCommand(cli, settings, COMMAND_TIMEOUT_MS)).stdout) as unknown;
  }

  private loader(args: readonly string[], exitCode: number): Promise<ProcessResult> {
    const settings = { DATA_IMPORT_API_KEY: this.apiKey };
    return runCommand(['--import', TELL_MEMORY, LOADER, ...args], settings, COMMAND_TIMEOUT_MS, exitCode);
  }
}

function sum(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

/** A difference without file and line, and without the random part of a note, which depend on the sample. */
function withoutPlace({ external_account_number, kind, key, problem, fields }: Difference): string {
  const known = kind === 'notes' ? key.slice(0, NOTE_KEY_LENGTH) : key;
  return JSON.stringify([external_account_number, kind, known, problem, fields ?? []]);
}

function toSentence({
  external_account_number,
  kind,
  key,
  file,
  line,
  problem,
  fields = [],
}: Difference): string {
  const place = file ? `, ${file}:${line}` : '';
  const named = fields.length > 0 ? ` (${fields.join(', ')})` : '';
  return `${problem}${named}: account ${external_account_number}, ${kind} \`${key}\`${place}`;
}
