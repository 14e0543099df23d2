import { formatHundredths } from '../common/money.js';
import type { AccountContent } from './contents.types.js';
import type { SortedLines } from './sorted-lines.js';
import { SECTIONS, type Section } from '../items/items.js';

const DIGEST_LENGTH = 64;

/** What an account holds as JSON text, without white space (choice V1). */
export function accountText(account: AccountContent): string {
  const sections = SECTIONS.map((name) => `"${name}":${sectionText(account, name)}}`);
  return `${headOf(account)},${sections.join(',')},"digest":"${account.digest}"}`;
}

/** A row as a line of {@link accountTextWithRows}: such lines are in the order of their digests. */
export function rowLine(digest: string, content: string): string {
  return digest + content;
}

/**
 * What an account holds as JSON text, with its rows: each on a line of its own, and `content` exactly as the text whose digest
 * stands before it, so that line tools can cut it out.
 *
 * Source: choice V1.
 */
export async function* accountTextWithRows(
  account: AccountContent,
  rows: ReadonlyMap<Section, SortedLines>,
): AsyncGenerator<string, void, undefined> {
  yield headOf(account);
  for (const name of SECTIONS) {
    yield `,\n"${name}":${sectionText(account, name)},"rows":[`;
    let separator = '\n';
    for await (const lines of rows.get(name)?.sorted() ?? []) {
      yield separator + lines.map(rowText).join(',\n');
      separator = ',\n';
    }
    yield '\n]}';
  }
  yield `,\n"digest":"${account.digest}"}\n`;
}

function rowText(line: string): string {
  return `{"digest":"${line.slice(0, DIGEST_LENGTH)}","content":${line.slice(DIGEST_LENGTH)}}`;
}

function headOf({ externalAccountNumber, serviceAccountNumber }: AccountContent): string {
  return `{"external_account_number":${JSON.stringify(externalAccountNumber)},"service_account_number":"${serviceAccountNumber}"`;
}

/** Without the bracket at its end. */
function sectionText({ sections, amounts }: AccountContent, name: Section): string {
  const { count, digest } = sections[name];
  const text = `{"count":${count},"digest":"${digest}"`;
  if (name !== 'transactions') return text;
  const sums = [...amounts].map(([type, sum]) => `"${type}":"${formatHundredths(sum)}"`);
  return `${text},"amounts":{${sums.join(',')}}`;
}
