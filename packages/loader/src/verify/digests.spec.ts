import { canonicalNumber } from '@data-import/files';
import { VECTORS } from '../../../../test/support/content-vectors.js';
import { canonicalContent } from '../rows/content.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import { accountDigest, accountLine, sectionDigest, sha256, type Section } from './digests.js';

const kindOf = (section: Section): Kind => KINDS.find((kind) => FACTS[kind].section === section) ?? 'notes';

/** @param space the indentation of the JSON text that is read. The writer of the text may choose any */
const contentOf = (section: Section, sent: object, space?: number): string =>
  canonicalContent(kindOf(section), JSON.stringify(sent, undefined, space));

const digestOf = (section: Section, rows: readonly object[] = []): string =>
  sectionDigest(rows.map((row) => sha256(contentOf(section, row))));

describe('the published vectors of contents', () => {
  it.each(VECTORS.rows)('have the row: $kind, $name (V3, V5)', ({ kind, sent, canonical, digest }) => {
    expect(contentOf(kind, sent)).toBe(canonical);
    expect(contentOf(kind, sent, 2)).toBe(canonical);
    expect(sha256(canonical)).toBe(digest);
  });

  it.each(VECTORS.numbers)('have the number $sent (V3, V5)', ({ sent, canonical }) => {
    expect(canonicalNumber(sent)).toBe(canonical);
    expect(canonicalContent('transactions', `{"amount":${sent}}`)).toBe(`{"amount":${canonical}}`);
    expect(canonicalContent('notes', `{"amount":${sent}}`)).toBe(`{"amount":${canonical}}`);
  });

  it.each(VECTORS.accounts)('have the account $external_account_number (V4, V5)', (account) => {
    const sections = new Map(
      KINDS.map((kind) => [kind, digestOf(FACTS[kind].section, account.sent[FACTS[kind].section])]),
    );
    expect([...sections.values()]).toEqual(KINDS.map((kind) => account[FACTS[kind].section].digest));
    expect(accountDigest(sections)).toBe(account.digest);
  });

  it('have a row twice, and the supplier (V4, V5)', () => {
    const { kind, rows, digest } = VECTORS.twice;
    expect(digestOf(kind, rows)).toBe(digest);
    const lines = VECTORS.supplier.order.map((number) => {
      const account = VECTORS.accounts.find((one) => one.external_account_number === number);
      return accountLine(number, account?.digest ?? '');
    });
    expect(sha256(lines.join(''))).toBe(VECTORS.supplier.digest);
  });
});
