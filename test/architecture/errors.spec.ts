import { readFile } from 'node:fs/promises';
import { GRAPHQL_ERRORS } from '../../src/auth/graphql/graphql-errors.js';
import { ERRORS, FIELD_ERRORS, type ErrorCode } from '../../src/infrastructure/errors/errors.js';
import { REMEDIES } from '../../src/infrastructure/errors/remedies.js';
import { isRefusal } from '../../src/capabilities/request-log/refusals/refusal.js';

/** A text as it appears in a table cell: without code marks. */
const cellOf = (text: string): string => text.replaceAll('`', '');

/** Cells of the first table below a heading of docs/errors.md, without the header row. */
async function tableBelow(heading: string): Promise<string[][]> {
  const page = await readFile('docs/errors.md', 'utf8');
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

it('docs/errors.md has every code of an answer, with its status and what to do next (T4)', async () => {
  const rows = await tableBelow('Codes of an answer');
  const documented = rows.map(([, code, status]) => [code, Number(status)]);
  expect(documented).toEqual(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
  for (const [, , , when, next] of rows) {
    expect(when).toMatch(/./);
    expect(next).toMatch(/^(fix|wait|send again unchanged)/);
  }
});

it('docs/errors.md has every code of an element of errors (T5)', async () => {
  const rows = await tableBelow('Codes of an element of `errors`');
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(FIELD_ERRORS));
});

it('docs/errors.md gives a client the same advice for each refusal as the console (C9)', async () => {
  const remedies = new Map<string, string>(Object.entries(REMEDIES));
  const answers = await tableBelow('Codes of an answer');
  for (const [, code = '', , , next] of answers.filter(([, name]) => isRefusal(name as ErrorCode))) {
    const remedy = cellOf(remedies.get(code) ?? '').replace(/\.$/, '');
    expect(next).toBe(`fix: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`);
    remedies.delete(code);
  }
  for (const [, code = '', , next] of await tableBelow('Codes of an element of `errors`')) {
    expect(next).toBe(cellOf(remedies.get(code) ?? ''));
    remedies.delete(code);
  }
  expect([...remedies.keys()]).toEqual([]);
});

it('docs/errors.md has every code of the GraphQL interface (A2)', async () => {
  const rows = await tableBelow('Codes of the GraphQL API');
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(GRAPHQL_ERRORS));
});
