import { WrongUsage } from '../common/errors.js';
import { parseMapping } from './mapping.js';

describe('a mapping file', () => {
  it.each([
    ['{', 'mapping.json is not JSON'],
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
    expect(parseMapping('{"notes": {}}', 'mapping.json').get('notes')?.of('notes.csv').isEmpty).toBe(true);
  });
});
