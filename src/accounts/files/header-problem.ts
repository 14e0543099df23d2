/** The columns that several kinds of files share. */
export const RECORD_FIELDS: readonly string[] = [
  'external_account_number',
  'open_statement_from',
  'open_statement_to',
];

/** Rules for the header of a kind of file. */
export interface HeaderRules {
  /** All columns that the file may have. If not given, other columns are allowed. */
  readonly known?: readonly string[];
  /** @returns what is wrong with a column name, as a sentence */
  readonly columnProblem?: (name: string) => string | undefined;
}

/** @returns why rows with this header cannot be read, as a sentence; undefined if the header is valid */
export function headerProblem(
  columns: readonly string[],
  { known, columnProblem }: HeaderRules,
): string | undefined {
  if (columns.includes('')) return 'The header has a column without a name.';
  // Otherwise the misspelt column would become a member of the account, and the period would be lost.
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
