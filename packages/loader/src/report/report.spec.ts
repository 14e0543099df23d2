import { groupDifferences } from './groups.js';
import { pageHtml } from './html.js';
import type { VerifyResult } from './result.js';
import { verifyPage, verifyText } from './verify-text.js';

const difference = {
  external_account_number: 'A-1',
  kind: 'transactions',
  file: 'transactions.csv',
  sheet: null,
} as const;

const differences = [
  { ...difference, key: 'T-1', line: 9, problem: 'different', fields: ['amount', 'tax_items.0.rate'] },
  {
    ...difference,
    key: 'T-2',
    line: 3,
    problem: 'different',
    fields: ['tax_items.1.rate', 'tax_items.2.rate'],
  },
  { ...difference, key: 'T-3', line: 4, problem: 'missing', fields: [] },
  {
    ...difference,
    kind: 'notes',
    key: 'a <b>\n\u001b[31mred',
    file: null,
    line: null,
    problem: 'unexpected',
    fields: [],
  },
] as const;

const result: VerifyResult = {
  accounts: { matched: 0, different: 1, missing: 0, unexpected: 0 },
  rows: { matched: 1_200, different: 2, missing: 51, unexpected: 1 },
  digest: '1'.repeat(64),
  service_digest: '2'.repeat(64),
  differences,
  groups: groupDifferences(differences, ['transactions.csv'], [['transactions', 'missing', 50]]),
  differences_omitted: 50,
  kinds: ['notes', 'statements', 'payment-instructions', 'transactions'],
  supplier: 'ACME',
  supplier_status: 'paused',
  changed_accounts: 0,
  left_out: [],
  seconds: 3,
};

it('groups what differs by kind, problem and field, with the first place in the order of the files (V9)', () => {
  expect(verifyText(result).split('\n').slice(2, 19)).toEqual([
    '          matched  different  missing  unexpected',
    'accounts        0          1        0           0',
    'rows        1,200          2       51           1',
    '',
    'group  rows  kind          code        field           first',
    '    1    51  transactions  missing                     transactions.csv:4',
    '    2     2  transactions  different   tax_items.rate  transactions.csv:3',
    '    3     1  notes         unexpected',
    '    4     1  transactions  different   amount          transactions.csv:9',
    '',
    'problem     kind          account  key                       place               fields',
    'different   transactions  A-1      T-1                       transactions.csv:9  amount, tax_items.0.rate',
    'different   transactions  A-1      T-2                       transactions.csv:3  tax_items.1.rate, tax_items.2.rate',
    'missing     transactions  A-1      T-3                       transactions.csv:4',
    'unexpected  notes         A-1      a <b>\\u000a\\u001b[31mred',
    '… and 50 more, see --report and --json.',
    '',
  ]);
});

it('the report has the same, as text that no browser takes for anything else, and breaks no word in a column (V9)', () => {
  const page = pageHtml(verifyPage(result, { baseUrl: 'http://a', at: 0 }));
  expect(page).toContain('<td class="n">51</td><td>transactions</td><td>missing</td>');
  expect(page).toContain('<td>a &lt;b&gt;\n');
  expect(page).toContain('50 more are counted but not listed.');
  // With these properties a browser counts each letter as a possible line break when it calculates column widths.
  expect(page).not.toMatch(/overflow-wrap:\s*anywhere|word-break/);
});
