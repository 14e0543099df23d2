/**
 * Measures `verify`: processor time and resident memory of writing the entries of files, and of comparing them with the contents
 * of a service that costs nothing, which answers as if it had the rows of the files.
 *
 * node packages/loader/dist-bench/bench/verify.js ROWS grouped|random transactions|supply-charges
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NO_MAPPING } from '../src/rows/mapping.js';
import { FACTS, KINDS } from '../src/kinds/kinds.js';
import { SYSTEM_CLOCK } from '../src/common/clock.js';
import { accountsIn } from '../src/verify/account-entries.js';
import { Compared } from '../src/verify/compared.js';
import { digestsOfSections, expectedRows } from '../src/verify/compare.js';
import { compareAll } from '../src/verify/comparing.js';
import { accountDigest } from '../src/verify/digests.js';
import { ensureEntries } from '../src/verify/entries-file.js';
import { inputFiles } from '../src/verify/input.js';
import type { AccountContent } from '../src/verify/source.js';

const ROWS_OF_ACCOUNT = 20;

const { positionals } = parseArgs({ allowPositionals: true });
const [rowsText = '400000', order = 'random', form = 'supply-charges'] = positionals;
const rows = Number(rowsText);
const folder = mkdtempSync(join(tmpdir(), 'loader-bench-'));

const SUPPLY = `"type":"SUPPLY_CHARGE","product_code":"FLAT-24-B","line_items":[{"rate_band":"CONSUMPTION_STANDARD","start_date":"2024-03-01","end_date":"2024-03-15","number_of_units":210.5,"net_amount":59,"price_per_unit":0.2803,"units":[100.25,110.25]},{"rate_band":"STANDING","start_date":"2024-03-16","end_date":"2024-03-31","number_of_units":16,"net_amount":4.8}],"tax_items":[{"amount":2.95,"tax_type":"VAT","value_taxed":59,"rate":0.05,"unit_type":"PROPORTION"}]`;
const PLAIN = `"type":"CHARGE","reason":"IMPORTED_CHARGE","reference":"REF-1","note":"Charge of the previous supplier, as billed"`;

function writeFile(): number {
  const path = join(folder, 'transactions.ndjson');
  const descriptor = openSync(path, 'w');
  let lines: string[] = [];
  let state = 1;
  for (let index = 0; index < rows; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const account =
      order === 'random' ? state % Math.ceil(rows / ROWS_OF_ACCOUNT) : Math.floor(index / ROWS_OF_ACCOUNT);
    const amount = `${state % 500}.${String(state % 100).padStart(2, '0')}`;
    lines.push(
      `{"transaction_id":"T-${index}","external_account_number":"${10_000_000 + account}","transaction_date":"2026-01-15","amount":${amount},${form === 'supply-charges' ? SUPPLY : PLAIN}}`,
    );
    if (lines.length === 10_000 || index === rows - 1) {
      writeSync(descriptor, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  closeSync(descriptor);
  return statSync(path).size;
}

async function measured<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const result = await run();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - wall) / 1_000;
  console.log(
    `${what}: ${((user + system) / 1e6).toFixed(2)} s processor time, ${seconds.toFixed(2)} s, ${Math.round(rows / seconds)} rows a second, process at most ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`,
  );
  return result;
}

/** The accounts of a service that has the rows of the files. */
async function* contentsOf(path: string): AsyncGenerator<AccountContent> {
  for (const own of accountsIn(path)) {
    const expected = expectedRows(own.entries);
    const digests = digestsOfSections(expected);
    const sections = KINDS.map((kind) => [
      FACTS[kind].section,
      { count: expected.get(kind)?.length ?? 0, digest: digests.get(kind) },
    ]);
    yield await Promise.resolve({
      ...(Object.fromEntries(sections) as AccountContent),
      external_account_number: own.account,
      digest: accountDigest(digests),
    });
  }
}

try {
  console.log(`${rows} rows, ${order}, ${form}, ${(writeFile() / 1e6).toFixed(0)} MB`);
  const mapping = { of: () => NO_MAPPING, text: () => '' };
  const files = await inputFiles([folder], KINDS);
  const { path } = await measured('entries', () =>
    ensureEntries(files, { folders: [folder], workFolder: folder, mapping }),
  );
  const options = { status: 'paused', isNew: true, clock: SYSTEM_CLOCK };
  const compared = await Compared.open(folder, 'bench', options);
  await measured('compare, with the making of the answers', () =>
    compareAll({
      entries: path,
      kinds: KINDS,
      concurrency: 8,
      source: { list: () => contentsOf(path), rows: () => Promise.resolve(undefined) },
      compared,
      signal: new AbortController().signal,
      progress: () => undefined,
    }),
  );
  await compared.close();
  console.log(JSON.stringify([compared.accounts, compared.rows]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
