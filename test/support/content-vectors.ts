import { readFileSync } from 'node:fs';

/** The items of an account as a client sends them, by section. */
export interface SentItems {
  readonly notes?: readonly object[];
  readonly transactions?: readonly object[];
  readonly historical_statements?: readonly object[];
  readonly payment_instructions?: readonly object[];
}

type Section = keyof SentItems;

/** Rows, accounts and digests that every implementation must reproduce (choice V5). */
export interface ContentVectors {
  readonly rows: readonly {
    readonly kind: Section;
    readonly name: string;
    readonly sent: object;
    readonly canonical: string;
    readonly digest: string;
  }[];
  readonly accounts: readonly (Record<Section, { readonly count: number; readonly digest: string }> & {
    readonly external_account_number: string;
    readonly sent: SentItems;
    readonly digest: string;
  })[];
  readonly numbers: readonly { readonly sent: string; readonly canonical: string }[];
  readonly twice: { readonly kind: Section; readonly rows: readonly object[]; readonly digest: string };
  readonly supplier: { readonly order: readonly string[]; readonly digest: string };
}

export const VECTORS = JSON.parse(readFileSync('contract/content-vectors.json', 'utf8')) as ContentVectors;

/** The requests that import an account's items, as paths and payloads. */
export function importsOf(
  ref: object,
  { notes, transactions, historical_statements: statements, payment_instructions = [] }: SentItems,
): (readonly [path: string, payload: object])[] {
  return [
    ...(notes ? [['notes/create/', { ...ref, notes }] as const] : []),
    ...(transactions ? [['transactions/create/', { ...ref, transactions }] as const] : []),
    ...(statements ? [['historical-statements/create/', { ...ref, statements }] as const] : []),
    ...payment_instructions.map(
      (instruction) => ['payment-instruction/create/', { ...ref, ...instruction }] as const,
    ),
  ];
}
