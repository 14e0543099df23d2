import { fileOf } from './parts.js';

const PACKED = /\.gz$/;

/** Whether the file is a table with a header. Otherwise it is NDJSON. */
export function isCsv(name: string): boolean {
  return /\.(?:csv|tsv|txt|xlsx)$/i.test(fileOf(name).replace(PACKED, ''));
}

/** Whether the file is a workbook. Its sheet is converted to CSV before it is read (copies.ts). */
export function isWorkbook(name: string): boolean {
  return /\.xlsx$/i.test(fileOf(name));
}

/** @returns both names of `parts.zip/notes.csv`; undefined for a file directly in the folder */
export function memberOf(name: string): { readonly archive: string; readonly member: string } | undefined {
  const [, archive, member] = /^([^/]+\.zip)\/(.+)$/is.exec(fileOf(name)) ?? [];
  return archive === undefined || member === undefined ? undefined : { archive, member };
}

/** The delimiter of a table's cells. */
export function delimiterOf(name: string): ',' | '\t' {
  return fileOf(name).replace(PACKED, '').endsWith('.tsv') ? '\t' : ',';
}

export function isPacked(name: string): boolean {
  return fileOf(name).endsWith('.gz');
}
