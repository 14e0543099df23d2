// Fills the service for the pictures of the console: a migration under way, with typical mistakes.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandsWith, senderOf } from './own-service.mjs';

export const SUPPLIER = 'NORTHERN';
const SUPPLIER_NAME = 'Northern Energy';
const DOCUMENT_ROOT = 'northern';

const ACCOUNTS = 400;
/** Accounts to import. Those with a wrong period fail, and the others stay pending. */
const IMPORTED = 320;
const WRONG_PERIODS = 12;
/** Concurrent requests: few, to leave the machine usable. */
const SENDERS = 4;

const DAY_MS = 86_400_000;
const day = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const numberOf = (index) => `N-${100_000 + index}`;

/** A PDF with one empty page. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
`;

/** Send imports, spread over the given minutes. */
export async function fill({ url, settings, dataDir, minutes, say }) {
  const command = commandsWith(settings);
  const key = await createWorld(command, dataDir);
  const post = await senderOf(url, key);
  const untilMs = Date.now() + minutes * 60_000;
  for (const [index, loads] of inParts(
    Array.from({ length: IMPORTED }, (_, at) => at + 1),
    20,
  ).entries()) {
    await inParallel(loads, (account) => sendAccount(post, account));
    const restMs =
      ((untilMs - Date.now()) / (IMPORTED / 20 - index)) * (0.4 + 0.6 * Math.abs(Math.sin(index)));
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    say(`${(index + 1) * 20} accounts`);
  }
  await sendMistakes(post);
}

async function createWorld(command, dataDir) {
  for (const account of [1, 2, 3]) {
    const file = join(dataDir, 'documents', DOCUMENT_ROOT, `${numberOf(account)}/statement-1.pdf`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, PDF);
  }
  await command(['organisation', 'create', SUPPLIER_NAME]);
  const root = ['--document-root', DOCUMENT_ROOT, '--organisation', SUPPLIER_NAME];
  await command(['supplier', 'create', SUPPLIER, '--name', SUPPLIER_NAME, ...root]);
  await command([
    'supplier',
    'create',
    'COASTAL',
    '--name',
    'Coastal Gas and Electricity',
    '--document-root',
    'coastal',
  ]);
  await command(['supplier', 'set', 'COASTAL', '--status', 'paused']);
  const file = join(dataDir, 'accounts.ndjson');
  await writeFile(file, Array.from({ length: ACCOUNTS }, (_, index) => stagedLine(index + 1)).join('\n'));
  await command(['accounts', 'stage', SUPPLIER, file]);
  await command(['accounts', 'import', SUPPLIER, '--limit', String(IMPORTED + WRONG_PERIODS)]);
  const { key } = await command([
    'api-key',
    'issue',
    SUPPLIER_NAME,
    '--label',
    'tooling',
    '--expires-in',
    '30d',
  ]);
  return key;
}

/** The import of some accounts fails: their period ends before the day of the import, on which it would begin. */
function stagedLine(index) {
  const isWrong = index > IMPORTED && index <= IMPORTED + WRONG_PERIODS;
  const period = isWrong ? { open_statement_to: day(90) } : { open_statement_from: day(60) };
  return JSON.stringify({
    external_account_number: numberOf(index),
    ...period,
    account: { name: `Customer ${index}` },
  });
}

async function sendAccount(post, index) {
  const account = { import_supplier: SUPPLIER, external_account_number: numberOf(index) };
  await post('notes/create/', { ...account, notes: notesOf(index) });
  await post('transactions/create/', { ...account, transactions: transactionsOf(index) });
  if (index % 4 !== 0)
    await post('historical-statements/create/', { ...account, statements: statementsOf(index) });
  if (index % 3 === 0) {
    await post('payment-instruction/create/', {
      ...account,
      vendor: 'SANDBOX',
      reference: `ok_${index}`,
      type: 'DIRECT_DEBIT',
    });
  }
}

function notesOf(index) {
  return [
    {
      body: 'Asks to be called before somebody comes to read the meter.',
      created_at: `${day(2)}T09:30:00Z`,
      is_pinned: true,
    },
    {
      body: `The tariff was changed on ${day(300)} and confirmed by letter.`,
      created_at: `${day(300)}T12:00:00Z`,
    },
    ...(index % 5 === 0
      ? [{ body: 'Moved in on the first of the month.', created_at: `${day(500)}T08:15:00Z` }]
      : []),
  ];
}

function transactionsOf(index) {
  return Array.from({ length: 12 }, (_, month) => {
    const id = `${numberOf(index)}-${month + 1}`;
    if (month % 2 === 0) {
      return {
        transaction_id: id,
        ...{ transaction_date: day(month * 4 + 3), type: 'PAYMENT', reason: 'ACCOUNT_CHARGE_PAYMENT' },
        ...{ payment_type: 'DD_REGULAR_COLLECTION', amount: 40 + (index % 7) * 5.5 },
      };
    }
    const net = 50 + ((index * 13 + month * 7) % 60) / 4;
    const tax = Math.round(net * 5) / 100;
    return {
      transaction_id: id,
      ...{ transaction_date: day(month * 4 + 1), type: 'SUPPLY_CHARGE', product_code: 'STANDARD' },
      line_items: [
        {
          ...{
            rate_band: 'CONSUMPTION_STANDARD',
            start_date: day(month * 4 + 30),
            end_date: day(month * 4 + 2),
          },
          ...{ number_of_units: net * 4, net_amount: net, price_per_unit: 0.25 },
        },
      ],
      tax_items: [{ amount: tax, tax_type: 'VAT', value_taxed: net, rate: 0.05, unit_type: 'PROPORTION' }],
      amount: Math.round((net + tax) * 100) / 100,
    };
  });
}

function statementsOf(index) {
  return [1, 2].map((at) => ({
    statement_id: `${numberOf(index)}-S${at}`,
    ...{ bill_period_from_date: day(at * 30 + 90), bill_period_to_date: day(at * 30 + 61) },
    ...{
      issued_date: day(at * 30 + 59),
      number: `2026/${at}/${index}`,
      gross_amount: 55 + (index % 100) / 4,
    },
    statement_path: `${numberOf(index)}/statement-${at}.pdf`,
  }));
}

/** Send requests with mistakes typical of a first version of a supplier's software. */
async function sendMistakes(post) {
  const of = (index) => ({ import_supplier: SUPPLIER, external_account_number: numberOf(index) });
  const [charge] = transactionsOf(1);
  for (let index = 1; index <= 40; index += 1) {
    const reason = index % 3 === 0 ? 'GOODWILL' : 'LATE_FEE';
    const transactions = [{ ...charge, transaction_id: `wrong-${index}`, reason }];
    await post('transactions/create/', { ...of(index), transactions });
    if (index <= 15)
      await post('notes/create/', {
        ...of(IMPORTED + WRONG_PERIODS + index),
        notes: [{ body: 'Too early' }],
      });
    if (index <= 8) {
      await post('transactions/create/', {
        ...of(index),
        transactions: [{ ...charge, transaction_id: `old-${index}`, transaction_date: day(400) }],
      });
    }
    if (index <= 5) {
      await post('payment-instruction/create/', {
        ...of(index),
        vendor: 'SANDBOX',
        reference: `unknown_${index}`,
        type: 'CARD',
      });
    }
  }
}

function inParts(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

async function inParallel(list, work) {
  const left = [...list];
  const sender = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}
