/**
 * Measures reading: processor time and resident memory of preparing, sorting and reading a file of transactions; `joined`: of a CSV
 * file of charges and another one with four lines for each, in random order.
 *
 * node packages/loader/dist-bench/bench/reading.js ROWS grouped|random ndjson|csv|joined
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Intervals } from '../src/rows/intervals.js';
import { prepareRows } from '../src/rows/join.js';
import { NO_MAPPING, parseMapping } from '../src/rows/mapping.js';
import type { ReadingOptions } from '../src/rows/prepare.js';
import { readRows } from '../src/rows/read-rows.js';
import type { Preparation } from '../src/rows/row.js';
import { ensureSorted } from '../src/rows/sort.js';

const ROWS_OF_ACCOUNT = 20;

const { positionals } = parseArgs({ allowPositionals: true });
const [rowsText = '1000000', order = 'grouped', form = 'ndjson'] = positionals;
const rows = Number(rowsText);
const folder = mkdtempSync(join(tmpdir(), 'loader-bench-'));
const isJoined = form === 'joined';
const file = isJoined ? 'transactions.csv' : `transactions.${form}`;
const files = isJoined ? [file, 'lines.csv'] : [file];

const LINES_OF_CHARGE = 4;
const LINES = {
  from: 'lines.csv',
  key: { charge: 'transaction_id' },
  fields: {
    start_date: { column: 'from', dates: 'DD/MM/YYYY' },
    end_date: { column: 'to', dates: 'DD/MM/YYYY' },
  },
};
const MAPPING = { files: [{ match: file, kind: 'transactions', fields: { line_items: LINES } }] };
const mapping = isJoined ? parseMapping(JSON.stringify(MAPPING), 'mapping').get('transactions') : undefined;

/** Lines of each charge, those of no two charges together. */
function writeLines(): void {
  const descriptor = openSync(join(folder, 'lines.csv'), 'w');
  writeSync(descriptor, 'charge,rate_band,from,to,number_of_units,price_per_unit,net_amount\n');
  const count = rows * LINES_OF_CHARGE;
  let lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const charge = (index * 7_919) % rows;
    lines.push(
      `T-${charge},CONSUMPTION_STANDARD,01/10/2026,31/10/2026,${index % 900}.${index % 10},0.2345,${index % 300}.${10 + (index % 90)}`,
    );
    if (lines.length < 10_000 && index + 1 < count) continue;
    writeSync(descriptor, `${lines.join('\n')}\n`);
    lines = [];
  }
  closeSync(descriptor);
}

function writeFile(): void {
  const descriptor = openSync(join(folder, file), 'w');
  const isTable = file.endsWith('.csv');
  let lines = isTable
    ? ['transaction_id,external_account_number,transaction_date,amount,type,reason,note']
    : [];
  let state = 1;
  for (let index = 0; index < rows; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const account =
      10_000_000 +
      (order === 'random' ? state % Math.ceil(rows / ROWS_OF_ACCOUNT) : Math.floor(index / ROWS_OF_ACCOUNT));
    const amount = `${state % 500}.${String(state % 100).padStart(2, '0')}`;
    const day = `2026-0${1 + (index % 9)}-1${index % 10}`;
    lines.push(
      isTable
        ? `T-${index},${account},${day},${amount},CHARGE,IMPORTED_CHARGE,"Charge of the previous supplier, as billed"`
        : `{"transaction_id":"T-${index}","external_account_number":"${account}","transaction_date":"${day}","amount":${amount},"type":"CHARGE","reason":"IMPORTED_CHARGE","reference":"REF-${state}","note":"Charge of the previous supplier, as billed"}`,
    );
    if (lines.length === 10_000) {
      writeSync(descriptor, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  if (lines.length > 0) writeSync(descriptor, `${lines.join('\n')}\n`);
  closeSync(descriptor);
}

let residentMax = 0;
const sampling = setInterval(() => {
  residentMax = Math.max(residentMax, process.memoryUsage.rss());
}, 20);

async function measured<Result>(
  what: string,
  megabytes: number,
  run: () => Promise<Result>,
): Promise<Result> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const result = await run();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (user + system) / 1e6;
  const total = (performance.now() - wall) / 1_000;
  const resident = Math.max(residentMax, process.memoryUsage.rss()) / 1_048_576;
  console.log(
    `${what}: ${seconds.toFixed(2)} s processor time, ${total.toFixed(2)} s, ${(megabytes / seconds).toFixed(0)} MB/s, resident at most ${resident.toFixed(0)} MiB, process at most ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`,
  );
  return result;
}

async function read(preparation: Preparation, options: ReadingOptions, done: Intervals): Promise<number> {
  let characters = 0;
  for await (const some of readRows(preparation, options, done)) {
    for (const row of some) if (!row.error) characters += row.item.length + (row.key?.length ?? 0);
  }
  return characters;
}

try {
  writeFile();
  if (isJoined) writeLines();
  const megabytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6;
  console.log(
    `${rows} rows, ${order}, ${form}, ${megabytes.toFixed(0)} MB, after writing ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`,
  );
  const options = { folder, workFolder: join(folder, 'work'), mapping: mapping ?? NO_MAPPING };
  const preparation = await measured('prepare', megabytes, () => prepareRows('transactions', files, options));
  if (!preparation.isGrouped && !isJoined)
    await measured('sort', megabytes, () => ensureSorted(preparation, options));
  await measured('read', megabytes, () => read(preparation, options, new Intervals()));
  const all = new Intervals();
  let last = 0;
  for await (const some of readRows(preparation, options, new Intervals())) last = some.at(-1)?.start ?? last;
  all.add(0, last);
  await measured('pass over all rows but one', megabytes, () => read(preparation, options, all));
} finally {
  clearInterval(sampling);
  rmSync(folder, { recursive: true, force: true });
}
