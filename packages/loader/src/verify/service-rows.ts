import { canonicalContent } from '../rows/content.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import type { ServiceRow } from './compare.js';
import { accountDigest, sectionDigest, type SectionDigests } from './digests.js';
import { digestsOf } from './entry.js';
import type { AccountContent } from '@data-import/client';
import { ContradictoryAnswer } from '../common/contradictory-answer.js';

/** The digests that the service states of an account. @throws ContradictoryAnswer when that of the account is not theirs */
export function statedDigests(content: AccountContent): SectionDigests {
  const sections = new Map(KINDS.map((kind) => [kind, content[FACTS[kind].section].digest]));
  if (accountDigest(sections) !== content.digest) throw contradiction(content, 'the account');
  return sections;
}

export function countOf(content: AccountContent, kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + content[FACTS[kind].section].count, 0);
}

/**
 * The rows that the service has of an account.
 *
 * @throws ContradictoryAnswer when a digest is not that of its row, or of its section
 */
export function rowsOf(account: AccountContent, kinds: readonly Kind[]): ServiceRow[] {
  return kinds.flatMap((kind) => {
    const { rows = [], digest, count } = account[FACTS[kind].section];
    const found = rows.map((row) => {
      const text = canonicalContent(kind, JSON.stringify(row.content));
      const digests = digestsOf(kind, text);
      if (digests.content !== row.digest) throw contradiction(account, `a row of ${kind}`);
      return { kind, text, ...digests };
    });
    const isWhole = found.length === count && sectionDigest(found.map(({ content }) => content)) === digest;
    if (!isWhole) throw contradiction(account, kind);
    return found;
  });
}

function contradiction(
  { external_account_number: account }: { external_account_number: string },
  of: string,
): Error {
  return new ContradictoryAnswer(
    `The service contradicts itself about account ${account}: the digest of ${of} is not that of what it names. Please report this to its operator`,
  );
}
