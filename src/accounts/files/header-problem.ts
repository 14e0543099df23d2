/** The columns that the files of several commands have. */
export const RECORD_FIELDS: readonly string[] = [
  'external_account_number',
  'open_statement_from',
  'open_statement_to',
];

/** What the header of a sort of file may have. */
export interface HeaderRules {
  /** The columns of a file that has no others. */
  readonly known?: readonly string[];
  /** @returns what is wrong with the name of a column, as a sentence */
  readonly columnProblem?: (name: string) => string | undefined;
}

/** @returns why no row can be read with such a header, as a sentence; nothing when the header is valid */
export function headerProblem(
  columns: readonly string[],
  { known, columnProblem }: HeaderRules,
): string | undefined {
  if (columns.includes('')) return 'The header has a column without a name.';
  // Otherwise the column would become a member of the account, and the period would be lost.
  for (const name of columns) {
    const intended = name.trim().toLowerCase();
    if (name !== intended && RECORD_FIELDS.includes(intended)) {
      return `The header has the column ${JSON.stringify(name)}, which must be written ${intended}.`;
    }
  }
  for (const name of columns) {
    const problem = columnProblem?.(name);
    if (problem !== undefined) return problem;
  }
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated !== undefined) return `The header has the column ${repeated} twice.`;
  if (!columns.includes('external_account_number')) {
    return 'The header has no column external_account_number.';
  }
  const unknown = known && columns.find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `The header has the unknown column ${unknown}.`;
}
