import { expectFilledIn, NO_MAPPING, WrongUsage } from '@data-import/files';
import { parseMapping } from '../kinds/mapping.js';

describe('a mapping file', () => {
  it.each([
    ['{\n  "notes": {}\n  "x": 1}', 'mapping.json is not JSON: see line 3, column 3.'],
    ['{\n', 'mapping.json is not JSON: see line 2, column 1.'],
    ['[]', 'mapping.json must be an object'],
    ['{"transaction": {}}', 'transaction is no kind of file. Did you mean transactions?'],
    ['{"notes": {"column": {}}}', 'notes: column is not known. Did you mean columns?'],
    ['{"notes": {"columns": {"text": "Text"}}}', 'notes.columns: text is no field.'],
    [
      '{"statements": {"constants": {"gros_amount": 1}}}',
      'statements.constants: gros_amount is no field. Did you mean gross_amount?',
    ],
    ['{"notes": {"values": {"__proto__": {}}}}', 'notes.values: __proto__ is no field'],
    ['{"notes": {"constants": {"constructor": "x"}}}', 'notes.constants: constructor is no field'],
    ['{"notes": {"columns": {"body": 1}}}', 'notes.columns.body must be a text'],
    [
      '{"notes": {"constants": {"body": null}}}',
      'notes.constants.body must be a text, a number, true or false',
    ],
    ['{"notes": {"decimals": ";"}}', 'notes.decimals must be "," or "."'],
    ['{"notes": {"dates": "DD/MM/YY"}}', 'notes.dates: the pattern "DD/MM/YY" has a year of two digits'],
    ['{"notes": {"timezone": "BST"}}', 'notes.timezone: "BST" is no time zone'],
    ['{"notes": {"ambiguous": "later"}}', 'notes.ambiguous needs a "timezone"'],
    ['{"notes": {"timezone": "UTC", "ambiguous": "first"}}', 'notes.ambiguous must be "earlier" or "later"'],
    ['{"notes": {"ignore": "Colour"}}', 'notes.ignore must be a list'],
  ])('%s is wrong usage (L11)', (text, message) => {
    expect(() => parseMapping(text, 'mapping.json')).toThrow(WrongUsage);
    expect(() => parseMapping(text, 'mapping.json')).toThrow(message);
  });

  it('may say nothing', () => {
    expect(parseMapping('{"notes": {}}', 'mapping.json').of('notes').of('notes.csv').isEmpty).toBe(true);
  });
});

/** A mapping of one file of transactions. */
function filesOf(entry: object): string {
  return JSON.stringify({ files: [{ match: 'LEDG*.csv', kind: 'transactions', ...entry }] });
}

describe('a mapping file with a list of files', () => {
  it.each([
    [{ files: {} }, 'files must be a list'],
    [{ files: [], notes: {} }, 'notes is not known'],
    [{ files: [{ kind: 'notes' }] }, 'entry 1 (notes).match must be a list of texts'],
    [{ files: [{ match: '*', kind: 'note' }] }, '"*" (note).kind must be "notes" or'],
    [{ files: [{ match: '*', kind: 'notes', column: {} }] }, '"*" (notes): column is not known'],
    [{ ignore_files: [1] }, 'ignore_files.0 must be a text'],
  ])('%j is wrong usage: %s (L11)', (content, message) => {
    expect(() => parseMapping(JSON.stringify(content), 'mapping.json')).toThrow(WrongUsage);
    expect(() => parseMapping(JSON.stringify(content), 'mapping.json')).toThrow(message);
  });

  it.each([
    [{ form: { separator: ';' } }, '"LEDG*.csv" (transactions).form: separator is not known'],
    [{ form: { delimiter: ';;' } }, 'form.delimiter must be one ASCII character'],
    [{ form: { delimiter: 'a' } }, 'form.delimiter must be one ASCII character'],
    [{ form: { delimiter: '"' } }, 'delimiter and quote are the same character'],
    [{ form: { encoding: 'ebcdic' } }, 'form.encoding must be "utf-8" or'],
    [{ form: { skip_lines: -1 } }, 'form.skip_lines must be a whole number'],
    [{ form: { leave_out: { Konto: 1 } } }, 'leave_out.Konto must be a list'],
    [{ fields: { amont: 'Betrag' } }, 'fields: amont is no field. Did you mean amount?'],
    [{ fields: { amount: {} } }, 'fields.amount does not say where the field comes from'],
    [{ fields: { amount: { colum: 'Betrag' } } }, 'Did you mean column?'],
    [{ fields: { amount: { column: 'Betrag', dates: 'DD' } } }, 'fields.amount: dates is not known'],
    [{ fields: { type: { column: 'Art', amount: {} } } }, 'fields.type: amount is not known'],
    [{ fields: { amount: { column: 'B', amount: { decimal: ';' } } } }, 'amount.decimal must be "." or ","'],
    [{ fields: { amount: { column: 'B', amount: { words: { CR: 2 } } } } }, 'words.CR must be 1 or -1'],
    [{ fields: { amount: { column: 'B', amount: { negative: ['1'] } } } }, 'negative.0 must be "-1" or'],
    [{ fields: { amount: { debit: 'Soll' } } }, 'fields.amount.credit must be a text'],
    [{ fields: { type: { debit: 'Soll', credit: 'Haben' } } }, 'debit and credit are of amounts only'],
    [{ fields: { amount: { debit: 'S', credit: 'H', minus: 'x' } } }, 'minus must be "sign" or "reversal"'],
    [{ fields: { amount: { column: 'B', scale: 0 } } }, 'scale must be a whole number from 1 to 9'],
    [{ fields: { amount: { column: 'B', amount: { words: { CR: -1, cr: 1 } } } } }, 'has two signs'],
    [{ fields: { note: { join: ['A'], with: '' } } }, 'join must name two columns or more'],
    [{ fields: { note: { join: ['A', 'B'] } } }, 'with must be a text'],
    [{ fields: { transaction_date: { column: 'D', epoch: 's' } } }, 'name their "timezone"'],
    [{ fields: { transaction_date: { column: 'D', epoch: 'us', timezone: 'UTC' } } }, 'epoch must be "s" or'],
    [
      { fields: { transaction_date: { column: 'D', dates: 'DD/MM/YYYY', epoch: 's' } } },
      'both epoch and dates',
    ],
    [{ fields: { transaction_date: { column: 'D', timezone: 'UTC' } } }, 'timezone needs "epoch"'],
    [
      { fields: { type: { case: [{ when: { A: 'x' }, then: 'X' }] } }, values: { type: { x: 'X' } } },
      'values.type: the field comes from several columns',
    ],
    [{ fields: { transaction_date: { column: 'D', language: 'de' } } }, 'language needs "dates"'],
    [{ fields: { transaction_date: { column: 'D', dates: [] } } }, 'dates must name a form'],
    [{ fields: { type: { case: [] } } }, 'fields.type.case must be a list of cases'],
    [{ fields: { type: { case: [{ when: {}, then: 'X' }] } } }, 'when must name a column'],
    [{ fields: { type: { case: [{ when: { A: ['x'] } }] } } }, 'then must be a text'],
    [{ fields: { amount: { case: [{ when: { A: 'x' }, then: 'much' }] } } }, 'then is no number'],
    [{ fields: { amount: { constant: 'much' } } }, 'fields.amount is no number'],
    [{ constants: { amount: 'much' } }, 'constants.amount is no number'],
  ])('that says %j of a file is wrong usage: %s (L11)', (entry, message) => {
    expect(() => parseMapping(filesOf(entry), 'mapping.json')).toThrow(WrongUsage);
    expect(() => parseMapping(filesOf(entry), 'mapping.json')).toThrow(message);
  });

  it('that names times without an offset and no time zone is wrong usage (L16)', () => {
    const content = (moment: object): string =>
      JSON.stringify({
        files: [{ match: '*', kind: 'notes', fields: { created_at: { column: 'C', moment } } }],
      });
    for (const moment of [{}, { forms: ['DD/MM/YYYY HH:mm'] }, { forms: 'YYYY-MM-DD' }, { forms: ['excel'] }])
      expect(() => parseMapping(content(moment), 'mapping.json')).toThrow('have no offset from UTC');
    for (const moment of [{ timezone: 'Europe/London' }, { forms: ['YYYY-MM-DD HH:mm:ssZ'] }])
      expect(parseMapping(content(moment), 'mapping.json').kindsOf('a.csv')).toEqual(['notes']);
  });

  it('gives a file the first entry that fits, packed or not, and says the kind and what is not loaded (L1)', () => {
    const mapping = parseMapping(
      JSON.stringify({
        $schema: 'mapping.schema.json',
        files: [
          { match: ['LEDG*.csv', 'old?.txt'], kind: 'transactions', ignore: ['a'] },
          { match: 'LEDG*', kind: 'notes', ignore: ['b'] },
          { match: '*.csv', kind: 'transactions', ignore: ['c'] },
        ],
        ignore_files: ['*.pdf'],
      }),
      'mapping.json',
    );
    const names = ['LEDG1.csv.gz', 'old1.txt', 'LEDG.txt', 'x.csv', 'x.txt'];
    expect(names.map((name) => mapping.kindsOf(name)[0])).toEqual([
      'transactions',
      'transactions',
      'notes',
      'transactions',
      undefined,
    ]);
    const transactions = mapping.of('transactions');
    const ignored = names.map((name) => [...transactions.of(name).ignore].join());
    expect(ignored).toEqual(['a', 'a', 'b', 'c', '']);
    expect(transactions.of('x.txt').isEmpty).toBe(true);
    expect(mapping.of('statements')).toBe(NO_MAPPING);
    expect(mapping.ignore).toEqual(['*.pdf']);
  });

  it.each([
    [['LEDG1.csv'], ['"*.csv" (transactions)', '"N*" (transactions)', '"N*" (transactions)']],
    [['LEDG1.csv', 'a.csv', 'N1', 'L1'], []],
    [['a.csv', 'N1', 'L1'], ['"LEDG*.csv" (transactions)']],
    [['LEDG1.csv', 'a.csv', 'N1'], ['"N*" (transactions)']],
    [['LEDG1.csv', 'a.csv', 'N1', 'L1', 'S.csv'], ['"S.csv" (transactions)']],
  ])('of the files %j says which of its entries nothing uses (L1)', (names, unused) => {
    const files = [
      { match: 'LEDG*.csv', kind: 'transactions' },
      { match: '*.csv', kind: 'transactions' },
      { match: 'S.csv', kind: 'transactions', optional: true },
      { match: 'N*', kind: 'transactions', fields: { line_items: { from: 'L?', key: { a: 'a' } } } },
      { match: 'x', kind: 'notes' },
    ];
    const mapping = parseMapping(JSON.stringify({ files }), 'mapping.json');
    const said = mapping.unused(names, ['transactions']).map((sentence) => sentence.split(': ')[0]);
    expect(said).toEqual(unused);
  });

  it('that is to be filled in is wrong usage, with every place (L11)', () => {
    const text = filesOf({
      rows: { Rec: ['T'] },
      values: { type: { x: '?' } },
      fields: { amount: { column: 'B', scale: 2 } },
      ignore: ['?'],
    });
    const places =
      'mapping.json has "?" in 2 places, where you have to say what is meant:\n  "LEDG*.csv" (transactions, {"Rec":["T"]}).values.type.x\n  "LEDG*.csv" (transactions, {"Rec":["T"]}).ignore.0';
    expect(() => {
      expectFilledIn(text, 'mapping.json');
    }).toThrow(places);
    expectFilledIn(text.replaceAll('"?"', '"x"'), 'mapping.json');
  });

  it('is recognised by the part of each kind (L5)', () => {
    const text = filesOf({ ignore: ['a'] });
    const optional = parseMapping(filesOf({ optional: true, ignore: ['a'] }), 'mapping.json');
    expect(optional.of('transactions').text).toBe(text);
    const mapping = parseMapping(text.replace(']}]', ']},{"match":"*","kind":"notes"}]'), 'mapping.json');
    expect(mapping.of('transactions').text).toBe(text);
    const old = parseMapping('{"notes": {"ignore": ["a"]}}', 'mapping.json').of('notes');
    expect(old.text).toBe('{"ignore":["a"]}');
    expect(NO_MAPPING.text).toBe('');
  });
});
