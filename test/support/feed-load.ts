import type { CommandEnd } from './cli.js';
import type { Poster } from './import-load.js';
import { OPEN_FROM, requestOf } from './import-requests.js';
import { between, type Random } from './reliability/random.js';
import type { Reply, World } from './service.js';
import { elapse, waitUntil } from './wait-until.js';

const ACCOUNTS = 12;
const RETRY_MS = 100;
/** Expected statuses while the account is being erased or a killed process has not restarted. */
const EXPECTED = [404, 500, 503];

export interface FeedLoadParts {
  /** Makes the client of a caller. */
  readonly connect: () => Poster;
  readonly world: World;
  /** Runs an operator command with `--json`. */
  readonly command: (args: readonly string[], input: string) => Promise<CommandEnd>;
  readonly random: Random;
}

/**
 * Load for the feed, until it is stopped. Clients import items of every kind, some of them again; an operator stages and
 * imports accounts, changes periods, undoes and erases. Failed calls are retried.
 */
export class FeedLoad {
  /** The number of import requests answered 201. */
  stored = 0;
  /** How often the operator completed each operation. */
  readonly done: Record<string, number> = {};
  private serial = 0;
  private isStopping = false;
  private readonly numbers = Array.from({ length: ACCOUNTS }, (_, at) => `F-${at}`);
  private running: Promise<unknown> = Promise.resolve();

  private constructor(private readonly parts: FeedLoadParts) {}

  /** Resolves when the accounts are imported and the clients have started. */
  static async start(parts: FeedLoadParts, clients: number): Promise<FeedLoad> {
    const load = new FeedLoad(parts);
    await load.importAccounts();
    load.running = Promise.all([load.operate(), ...Array.from({ length: clients }, () => load.call())]);
    load.running.catch(() => undefined);
    return load;
  }

  /** Wait until `count` more import requests are answered 201. */
  async more(count: number): Promise<void> {
    const enough = this.stored + count;
    await Promise.race([
      waitUntil('more requests are stored', () => this.isStopping || this.stored >= enough),
      this.running,
    ]);
  }

  /** A promise that rejects when the load fails. */
  get failed(): Promise<unknown> {
    return this.running;
  }

  /** Stop after completing the calls in progress. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  private async call(): Promise<void> {
    const { world, connect, random } = this.parts;
    const client = connect();
    while (!this.isStopping) {
      // Some requests are repeated: after an undo, their items are new again.
      const serial = random() < 0.2 ? between(random, 1, this.serial + 1) : this.serial + 1;
      this.serial = Math.max(this.serial, serial);
      const account = this.numbers[serial % ACCOUNTS]!;
      const ref = { import_supplier: world.supplier, external_account_number: account };
      const { path, payload } = requestOf(ref, `item-${serial}`, serial);
      const reply = await client.post(path, world.token, payload).catch(() => undefined);
      if (reply?.status === 201) this.stored += 1;
      else if (reply && !isExpected(reply)) {
        throw new Error(`${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      } else await elapse(RETRY_MS);
    }
  }

  private async operate(): Promise<void> {
    const { random } = this.parts;
    const operations = [() => this.undo(), () => this.erase(), () => this.changePeriod()];
    for (let turn = between(random, 0, 2); !this.isStopping; turn += 1) {
      await operations[turn % operations.length]!();
      await this.more(between(random, 5, 30));
    }
  }

  private async importAccounts(numbers: readonly string[] = this.numbers): Promise<void> {
    const { supplier } = this.parts.world;
    const lines = numbers.map((number) => ({
      external_account_number: number,
      open_statement_from: OPEN_FROM,
    }));
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await this.run('stage', ['accounts', 'stage', supplier, '-'], input);
    await this.run('import', ['accounts', 'import', supplier]);
  }

  private async undo(): Promise<void> {
    const { supplier } = this.parts.world;
    await this.run('pause', ['supplier', 'set', supplier, '--status', 'paused']);
    const chosen = ['--account', this.account(), '--yes', '--reason', 'test'];
    await this.run('undo', ['imports', 'undo', supplier, ...chosen]);
    await this.run('resume', ['supplier', 'set', supplier, '--status', 'ongoing']);
  }

  private async erase(): Promise<void> {
    const account = this.account();
    await this.run('erase', ['accounts', 'erase', this.parts.world.supplier, account, '--reason', 'test']);
    await this.importAccounts([account]);
  }

  private async changePeriod(): Promise<void> {
    const to = `2027-01-${between(this.parts.random, 10, 28)}`;
    const period = ['--from', OPEN_FROM, '--to', to];
    await this.run('period', [
      'accounts',
      'set-period',
      this.parts.world.supplier,
      this.account(),
      ...period,
    ]);
  }

  private account(): string {
    return this.numbers[between(this.parts.random, 0, ACCOUNTS - 1)]!;
  }

  /** Run a command until it succeeds: running an interrupted command again completes it. */
  private async run(what: string, args: readonly string[], input = ''): Promise<void> {
    let end: CommandEnd | undefined;
    await waitUntil(`${what} is done`, async () => {
      end = await this.parts.command([...args, '--json'], input);
      // The interrupted run had already erased it.
      return end.exitCode === 0 || end.stdout.includes('"account_not_found"');
    }).catch((error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify(end)}`);
    });
    this.done[what] = (this.done[what] ?? 0) + 1;
  }
}

function isExpected({ status, body }: Reply): boolean {
  return EXPECTED.includes(status) || JSON.stringify(body).includes('import_supplier_migration_not_ongoing');
}
