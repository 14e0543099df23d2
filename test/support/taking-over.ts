import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDatabase, type TestDatabase } from './database.js';
import type { InstalledClient } from './installed-client.js';
import { onlyWith } from './service-process.js';
import { waitUntil } from './wait-until.js';

const PAGE = 'docs/platform.md';

/** The tables and the program in the code blocks of the page. */
async function shown(): Promise<{ tables: string; program: string }> {
  const page = await readFile(PAGE, 'utf8');
  const [tables = '', program = ''] = ['sql', 'js'].map(
    (language) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1],
  );
  return { tables, program };
}

/** The feed that the program reads. */
export interface Feed {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly supplier: string;
  readonly reader: string;
}

/** The program of docs/platform.md with its own database. It is restarted whenever it ends. */
export class TakingOver {
  /** How often it was killed while it ran. */
  kills = 0;
  /** The error output of each run that ended by itself. */
  readonly failures: string[] = [];
  private child: ChildProcess | undefined;
  private isStopping = false;
  private readonly running: Promise<void>;

  private constructor(
    readonly database: TestDatabase,
    private readonly file: string,
    private readonly feed: Feed,
  ) {
    this.running = this.run();
  }

  static async start(client: InstalledClient, feed: Feed): Promise<TakingOver> {
    const { tables, program } = await shown();
    const database = await createDatabase('template0');
    await database.sql(tables);
    const file = join(client.folder, `${feed.reader}.mjs`);
    await writeFile(file, program);
    await symlink(resolve('node_modules/pg'), join(client.folder, 'node_modules', 'pg'), 'junction').catch(
      () => undefined,
    );
    return new TakingOver(database, file, feed);
  }

  /** Kill the program, as in a power failure. */
  kill(): void {
    if (this.child?.kill('SIGKILL') === true) this.kills += 1;
  }

  /** The sequence number of the last change that the program has applied. */
  async sequence(): Promise<number> {
    return Number((await this.cursor()).split('-').at(-1));
  }

  /** Wait until all changes of the supplier have a sequence number and the program has applied them. */
  async untilAtNewest({ sql }: Pick<TestDatabase, 'sql'>, supplier: string): Promise<void> {
    await waitUntil(`${this.feed.reader} is at the newest change`, async () => {
      const [newest] = await sql<{ cursor: string }>(NEWEST, [supplier]);
      return newest?.cursor === (await this.cursor());
    });
  }

  /** The program's copy, in the form of {@link stored}. */
  async copy(): Promise<string[]> {
    return (await this.database.sql<{ line: string }>(COPY)).map(({ line }) => line);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.child?.kill('SIGKILL');
    await this.running;
    await this.database.drop();
  }

  private async cursor(): Promise<string> {
    const [row] = await this.database.sql<{ cursor: string | null }>('SELECT cursor FROM feed');
    return row?.cursor ?? '';
  }

  private async run(): Promise<void> {
    const { baseUrl, apiKey, supplier, reader } = this.feed;
    const settings = { DATA_IMPORT_BASE_URL: baseUrl, DATA_IMPORT_PLATFORM_KEY: apiKey };
    const env = onlyWith({
      ...settings,
      SUPPLIER: supplier,
      READER: reader,
      DATABASE_URL: this.database.url,
    });
    while (!this.isStopping) {
      let written = '';
      this.child = spawn(process.execPath, [this.file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (written += text));
      const [code] = (await once(this.child, 'close')) as [number | null];
      if (code !== null) this.failures.push(written);
    }
  }
}

/** The accounts and items of a supplier in the service, a line for each, in any order. */
export async function stored({ sql }: Pick<TestDatabase, 'sql'>, supplier: string): Promise<string[]> {
  return (await sql<{ line: string }>(STORED, [supplier])).map(({ line }) => line);
}

/** The cursor of the newest change of a supplier; no row while some changes have no sequence number yet. */
const NEWEST = `
  SELECT e.id || '-' || lpad(f.last_sequence::text, 19, '0') AS cursor
    FROM feed f JOIN import_supplier s ON s.id = f.import_supplier_id JOIN feed_epoch e ON e.import_supplier_id = s.id
   WHERE s.code = $1
     AND NOT EXISTS (SELECT FROM supplier_change c WHERE c.import_supplier_id = s.id AND c.type IS NOT NULL)
   ORDER BY e.number DESC LIMIT 1`;

const STORED = `
  WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1)
  SELECT concat_ws(' ', 'account', external_account_number, service_account_number, open_statement_from, open_statement_to) AS line
    FROM account_import JOIN supplier ON supplier.id = import_supplier_id WHERE status = 'imported'
   UNION ALL
  SELECT concat_ws(' ', 'note', external_account_number, import_request_id, is_pinned, body)
    FROM note JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT concat_ws(' ', 'statement', external_account_number, import_request_id, statement_id, bill_period_to_date, gross_amount)
    FROM statement JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT concat_ws(' ', 'instruction', external_account_number, import_request_id, vendor, type, reference)
    FROM payment_instruction JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT concat_ws(' ', 'transaction', external_account_number, import_request_id, transaction_id, transaction_date, sent_date,
                   amount, json_array_length(line_items))
    FROM transaction JOIN supplier ON supplier.id = import_supplier_id`;

const COPY = `
  SELECT concat_ws(' ', 'account', number, data ->> 'service_account_number', data ->> 'open_statement_from',
                   data ->> 'open_statement_to') AS line
    FROM account
   UNION ALL
  SELECT CASE type
         WHEN 'notes.added' THEN concat_ws(' ', 'note', account, request, left(item ->> 'is_pinned', 1), item ->> 'body')
         WHEN 'statements.added' THEN
           concat_ws(' ', 'statement', account, request, item ->> 'statement_id', item ->> 'bill_period_to_date', item ->> 'gross_amount')
         WHEN 'payment_instruction.added' THEN
           concat_ws(' ', 'instruction', account, request, item ->> 'vendor', item ->> 'type', item ->> 'reference')
         ELSE concat_ws(' ', 'transaction', account, request, item ->> 'transaction_id', item ->> 'transaction_date',
                        item -> 'sent' ->> 'transaction_date', item ->> 'amount',
                        jsonb_array_length(CASE WHEN jsonb_typeof(item -> 'line_items') = 'array' THEN item -> 'line_items' END))
         END
    FROM item`;
