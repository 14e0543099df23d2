import { renderToString } from 'preact-render-to-string';
import type { ItemKind } from '../../items/item-kind.js';
import { itemList } from './item-list.js';
import { Fields } from './parts.js';

const LETTER = {
  request: 'letters',
  requestWords: 'letters',
  section: 'letters',
  // One that there is.
  table: 'note',
  label: 'Letters',
  fields: {
    letter_id: { type: 'text' },
    sent_on: { type: 'date' },
    weight: { type: 'numeric' },
    pages: { type: 'jsonb' },
    sender_name: { type: 'text', label: 'From' },
  },
  key: { letter_id: 'text' },
  besides: {},
} as const satisfies ItemKind;

describe('a list of items on the page of an account', () => {
  it('is read by a query that follows from the description of its kind', () => {
    const list = itemList('test.letters', LETTER, {
      order: { sent_on: 'date', letter_id: 'text' },
      further: ['item.seen_at'],
      conditions: ['item.weight > :weight::numeric'],
      rowsMax: 10,
    });
    expect(list.query.text.replaceAll(/\s+/g, ' ')).toBe(
      'SELECT item.letter_id, item.sent_on::text AS sent_on, item.weight::text AS weight, ' +
        'coalesce(jsonb_array_length(item.pages), 0) AS pages, item.sender_name, item.seen_at, ' +
        'ARRAY[item.sent_on::text, item.letter_id::text] AS cursor ' +
        'FROM (SELECT item.* FROM note AS item ' +
        'WHERE item.import_supplier_id = $1 AND item.external_account_number = $2 ' +
        'AND (item.sent_on, item.letter_id) < ($3::date, $4::text COLLATE "C") AND item.weight > $5::numeric ' +
        'ORDER BY item.sent_on DESC, item.letter_id DESC LIMIT $6::integer) AS item ' +
        'ORDER BY item.sent_on DESC, item.letter_id DESC',
    );
    expect(list.cursorTypes).toEqual(['date', 'text']);
  });

  it('shows each field that has a value, with its label, but for those that are shown in another way', () => {
    const item = { letter_id: 'l', sent_on: null, weight: '1.50', pages: 2, sender_name: 'Ann' };
    expect(renderToString(Fields({ kind: LETTER, item, except: ['letter_id', 'pages'] })!)).toBe(
      '<dl class="details"><div><dt>Weight</dt><dd><span class="text">1.50</span></dd></div>' +
        '<div><dt>From</dt><dd><span class="text">Ann</span></dd></div></dl>',
    );
  });
});
