import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Appender, openNew, WrongUsage } from '@data-import/files';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { ACCOUNT } from '../kinds/fields.js';
import { accountNumber, sampleAccount, type SampleAccount } from '../sample/account-rows.js';
import { badRow, type BadRow } from '../sample/bad-rows.js';
import { pdf } from '../sample/pdf.js';
import { Random } from '../sample/random.js';

export interface SampleOptions {
  /** Number of accounts; each has 20 transactions, 2 notes, 2 statements and 1 payment instruction. */
  readonly accounts: number;
  /** The same seed gives the same files. */
  readonly seed: number;
  /** Number of additional rows that the service rejects. */
  readonly bad: number;
  /** Folder for the documents that rows name. Without it no row names one. */
  readonly documents?: string | undefined;
  /** `mixed`: the rows of the accounts are not together. */
  readonly order: 'grouped' | 'mixed';
}

export interface SampleSummary {
  readonly rows: Readonly<Record<Kind, number>>;
  readonly documents: number;
}

/** Number of accounts that are held in memory and among which rows are mixed. */
const WINDOW = 500;

/** A line of a file. A bad one is listed in `expected.json`. */
interface Line {
  readonly text: string;
  readonly bad?: BadRow;
}

/**
 * Write a set of files to try the loader with, of any size in constant memory: the four kinds, `accounts.ndjson` to stage the
 * accounts, and `expected.json`, which lists the expected content after a load and the rejected rows with their reasons.
 *
 * @param folder created when it does not exist
 * @throws WrongUsage when a file already exists
 */
export async function writeSample(folder: string, options: SampleOptions): Promise<SampleSummary> {
  if (options.bad > 0 && options.accounts === 0) throw new WrongUsage('Bad rows need at least one account.');
  await mkdir(folder, { recursive: true });
  const writer = new SampleWriter(options);
  try {
    await writer.open(folder);
    for (let first = 0; first < options.accounts; first += WINDOW)
      await writer.write(first, Math.min(first + WINDOW, options.accounts));
    return writer.end();
  } finally {
    await writer.close();
  }
}

/** Writes the lines of a new file. */
class LineWriter extends Appender {
  lines = 0;

  override add(line: string): void {
    super.add(`${line}\n`);
    this.lines += 1;
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.file.close();
    }
  }
}

class SampleWriter {
  private readonly files = new Map<Kind, LineWriter>();
  private readonly others: LineWriter[] = [];
  /** The bad rows as `expected.json` lists them. */
  private readonly bad: object[] = [];
  private badWritten = 0;
  private documents = 0;

  constructor(private readonly options: SampleOptions) {}

  async open(folder: string): Promise<void> {
    for (const kind of KINDS)
      this.files.set(kind, new LineWriter(await openNew(join(folder, `${kind}.ndjson`))));
    for (const name of ['accounts.ndjson', 'expected.json'])
      this.others.push(new LineWriter(await openNew(join(folder, name))));
    this.others[1]?.add('{"accounts": {');
  }

  /** Write the accounts of `[from, to)`. */
  async write(from: number, to: number): Promise<void> {
    const { seed, documents, accounts, order } = this.options;
    const made: SampleAccount[] = [];
    for (let index = from; index < to; index += 1)
      made.push(sampleAccount(seed, index, documents !== undefined));
    const bad = this.badRows(to);
    for (const kind of KINDS) {
      const lines = made.flatMap((account, at) => linesOf(account, kind, bad.get(from + at) ?? []));
      if (order === 'mixed') new Random(seed ^ from).shuffle(lines);
      await this.writeLines(kind, lines);
    }
    for (const [at, account] of made.entries()) {
      this.others[0]?.add(account.staged);
      this.others[1]?.add(`${expectedLine(account)}${from + at + 1 < accounts ? ',' : ''}`);
      await this.writeDocuments(account);
    }
    for (const file of this.others) await file.drain();
  }

  end(): SampleSummary {
    const bad = this.bad.map((row) => JSON.stringify(row));
    this.others[1]?.add(`}, "bad": [${bad.length > 0 ? `\n${bad.join(',\n')}\n` : ''}]}`);
    const counts = [...this.files].map(([kind, { lines }]) => [kind, lines] as const);
    return { rows: Object.fromEntries(counts) as Record<Kind, number>, documents: this.documents };
  }

  async close(): Promise<void> {
    for (const file of [...this.files.values(), ...this.others]) await file.close();
  }

  /** The bad rows of the next accounts up to an index, by index. They are spread evenly over all accounts. */
  private badRows(to: number): Map<number, BadRow[]> {
    const { accounts, bad, documents } = this.options;
    const found = new Map<number, BadRow[]>();
    for (; this.badWritten < bad; this.badWritten += 1) {
      const account = Math.floor((this.badWritten * accounts) / bad);
      if (account >= to) break;
      const row = badRow(this.badWritten, accountNumber(account), documents !== undefined);
      found.set(account, [...(found.get(account) ?? []), row]);
    }
    return found;
  }

  private async writeLines(kind: Kind, lines: readonly Line[]): Promise<void> {
    const file = this.files.get(kind);
    for (const { text, bad } of lines) {
      file?.add(text);
      if (bad) this.bad.push({ file: `${kind}.ndjson`, line: file?.lines ?? 0, code: bad.code });
      await file?.drain();
    }
  }

  private async writeDocuments({ number, documents }: SampleAccount): Promise<void> {
    const root = this.options.documents;
    if (root === undefined) return;
    for (const path of documents) {
      const target = join(root, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, pdf([`Account ${number}`, path]));
      this.documents += 1;
    }
  }
}

function linesOf(account: SampleAccount, kind: Kind, bad: readonly BadRow[]): Line[] {
  const good = account.rows[kind].map((fields) => ({
    text: JSON.stringify({ [ACCOUNT]: account.number, ...fields }),
  }));
  return [...good, ...bad.filter((row) => row.kind === kind).map((row) => ({ text: row.text, bad: row }))];
}

function expectedLine({ number, rows, cents }: SampleAccount): string {
  const counts = {
    notes: rows.notes.length,
    transactions: rows.transactions.length,
    transactions_amount: (cents / 100).toFixed(2),
    statements: rows.statements.length,
    payment_instructions: rows['payment-instructions'].length,
  };
  return `"${number}": ${JSON.stringify(counts)}`;
}
