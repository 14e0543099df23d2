import { renderToString } from 'preact-render-to-string';
import type { ItemKind } from '../../items/item-kind.js';
import { itemList } from './item-list.js';
import { Fields } from './parts.js';

const LETTER = {
  request: 'letters',
  requestWords: 'letters',
  section: 'letters',
  table: 'letter',
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
    expect(list.query.text).toMatchInlineSnapshot();
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
