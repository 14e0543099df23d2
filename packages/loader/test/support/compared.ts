import type { AccountContent } from '@data-import/client';
import { canonicalContent } from '../../src/rows/content.js';
import { FACTS, KINDS, type Kind } from '../../src/kinds/kinds.js';
import { accountDigest, sectionDigest, sha256 } from '../../src/verify/digests.js';
import type { ClientSource } from '../../src/verify/source.js';
import { folderWith } from '../../../../test/support/folders.js';

/** A row, on either side of a comparison. */
export interface Item {
  readonly kind: Kind;
  readonly account: string;
  readonly fields: object;
}

/** The accounts of a service that has these rows. */
export function accountsOf(numbers: readonly string[], items: readonly Item[]): AccountContent[] {
  return numbers
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map((account) => {
      const sections = KINDS.map((kind) => {
        const rows = items
          .filter((item) => item.account === account && item.kind === kind)
          .map(({ fields }) => ({
            content: fields,
            digest: sha256(canonicalContent(kind, JSON.stringify(fields))),
          }));
        return [
          kind,
          { count: rows.length, digest: sectionDigest(rows.map(({ digest }) => digest)), rows },
        ] as const;
      });
      const digest = accountDigest(new Map(sections.map(([kind, { digest: one }]) => [kind, one])));
      const named = Object.fromEntries(sections.map(([kind, section]) => [FACTS[kind].section, section]));
      return { external_account_number: account, digest, ...named } as unknown as AccountContent;
    });
}

/** The service does not answer. */
export class Away extends Error {}

/** @param breaksAfter accounts that are listed before it is away */
export function sourceOf(
  accounts: readonly AccountContent[],
  breaksAfter = Infinity,
): Pick<ClientSource, 'list' | 'rows'> {
  return {
    list: async function* (after) {
      const follows =
        after === undefined
          ? accounts
          : accounts.filter(
              ({ external_account_number: number }) =>
                Buffer.compare(Buffer.from(number), Buffer.from(after)) > 0,
            );
      for (const [index, account] of follows.entries()) {
        if (index >= breaksAfter) throw new Away();
        yield await Promise.resolve(account);
      }
    },
    rows: (account) =>
      Promise.resolve(accounts.find(({ external_account_number: number }) => number === account)),
  };
}

/** A row in its file. */
export const line = ({ account, fields }: Item): string =>
  `${JSON.stringify({ external_account_number: account, ...fields })}\n`;

/** A folder with the files of rows. */
export function folderOf(items: readonly Item[]): string {
  const files = KINDS.map((kind) => [
    `${kind}.ndjson`,
    items
      .filter((item) => item.kind === kind)
      .map(line)
      .join(''),
  ]);
  return folderWith(Object.fromEntries(files) as Record<string, string>);
}
