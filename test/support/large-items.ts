import fc from 'fast-check';

/** An item written with escapes and white space, which do not count towards its size. */
export interface WrittenItem {
  readonly list: 'notes' | 'transactions';
  readonly json: string;
}

/** A note or a transaction of exactly this many bytes (choice T19), in one of its written forms. */
export function itemOf(bytes: number): fc.Arbitrary<WrittenItem> {
  const texts = fc.array(fc.constantFrom('"', '\\', '\n', 'a', 'é', '€'), { maxLength: 5_000 });
  const space = fc.constantFrom('', ' ', '\t');
  const note = texts.map((some) => padded(bytes, `${'😀'.repeat(44_000)}${some.join('')}`));
  const line = { start_date: '2026-01-01', end_date: '2026-01-01', number_of_units: 1, net_amount: -0.25 };
  const charge = fc.integer({ min: 60, max: 99 }).map((tax) => ({
    ...{ transaction_id: 'T', transaction_date: '2026-01-01', amount: 1, type: 'SUPPLY_CHARGE' },
    product_code: 'P',
    line_items: Array.from({ length: 999 }, () => ({ ...line, units: Array<number>(50).fill(12) })),
    tax_items: Array.from({ length: tax }, () => ({
      ...{ amount: 1, tax_type: 'VAT', value_taxed: 1, rate: 2, unit_type: 'PROPORTION' },
    })),
  }));
  return fc.oneof(
    fc.tuple(note, space).map(([item, blank]) => ({ list: 'notes' as const, json: written(item, blank) })),
    fc.tuple(charge, space).map(([item, blank]) => {
      const missing = bytes - JSON.stringify({ ...item, note: '', display_note: '' }).length;
      const [one, other] = [Math.min(missing, 5_000), Math.max(missing - 5_000, 0)];
      const whole = { ...item, note: 'n'.repeat(one), display_note: 'd'.repeat(other) };
      return { list: 'transactions' as const, json: written(whole, blank) };
    }),
  );
}

function padded(bytes: number, body: string): object {
  const paths = Array.from({ length: 100 }, () => 1);
  const note = (lengths: number[]): object => ({
    body,
    document_paths: lengths.map((length) => ({ document_path: 'p'.repeat(length) })),
  });
  const escapes = body.replaceAll(/[^"\\\n]/gu, '').length;
  const missing = bytes - (Buffer.byteLength(JSON.stringify(note(paths))) - escapes);
  return note(paths.map((length, index) => length + Math.floor((missing + index) / 100)));
}

function written(item: object, blank: string): string {
  const json = JSON.stringify(item, undefined, blank);
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
