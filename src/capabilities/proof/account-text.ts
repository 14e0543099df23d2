import { formatHundredths } from '../../infrastructure/text/money.js';
import type { AccountContent, RowLines } from './proof.types.js';
import type { SortedLines } from './sorted-lines.js';
import { SECTIONS, type Section } from '../../ingest/kinds/items.js';

const DIGEST_LENGTH = 64;

/** The content of an account as JSON text, without white space (choice V1). */
export function accountText(account: AccountContent): string {
  const sections = SECTIONS.map((name) => `"${name}":${sectionText(account, name)}}`);
  return `${headOf(account)},${sections.join(',')},"digest":"${account.digest}"}`;
}

/** A row as a line of {@link accountTexts}. It begins with its digest, so lines are sorted by digest. */
export function rowLine(digest: string, content: string): string {
  return digest + content;
}

/**
 * The content of an account as JSON text, with its rows or their digests, in pieces. Each row is on a line of its own. Its
 * `content` is exactly the text that the digest before it was made from, so line tools can cut it out. Without rows there
 * are no line feeds.
 *
 * Source: choice V1.
 */
export async function* accountTexts(
  account: AccountContent,
  { rows, digests }: { readonly rows?: RowLines | undefined; readonly digests?: RowLines | undefined },
): AsyncGenerator<string, void, undefined> {
  const lineEnd = rows ? '\n' : '';
  yield headOf(account);
  for (const name of SECTIONS) {
    yield `,${lineEnd}"${name}":${sectionText(account, name)}`;
    if (digests) {
      yield ',"row_digests":[';
      yield* listed(digests.get(name), (digest) => `"${digest}"`, '');
      yield ']';
    }
    if (rows) {
      yield ',"rows":[';
      yield* listed(rows.get(name), rowText, lineEnd);
      yield '\n]';
    }
    yield '}';
  }
  yield `,${lineEnd}"digest":"${account.digest}"}${lineEnd}`;
}

async function* listed(
  lines: SortedLines | undefined,
  textOf: (line: string) => string,
  lineEnd: string,
): AsyncGenerator<string, void, undefined> {
  let separator = lineEnd;
  for await (const list of lines?.sorted() ?? []) {
    if (list.length === 0) continue;
    yield separator + list.map(textOf).join(`,${lineEnd}`);
    separator = `,${lineEnd}`;
  }
}

function rowText(line: string): string {
  return `{"digest":"${line.slice(0, DIGEST_LENGTH)}","content":${line.slice(DIGEST_LENGTH)}}`;
}

function headOf({ externalAccountNumber, serviceAccountNumber }: AccountContent): string {
  return `{"external_account_number":${JSON.stringify(externalAccountNumber)},"service_account_number":"${serviceAccountNumber}"`;
}

/** Without the closing brace. */
function sectionText({ sections, amounts }: AccountContent, name: Section): string {
  const { count, digest } = sections[name];
  const text = `{"count":${count},"digest":"${digest}"`;
  if (name !== 'transactions') return text;
  const sums = [...amounts].map(([type, sum]) => `"${type}":"${formatHundredths(sum)}"`);
  return `${text},"amounts":{${sums.join(',')}}`;
}
