import { existsSync, readFileSync } from 'node:fs';
import { filesIn, filesOfPackages, type SourceFile } from './sources.js';

const specification = readFileSync('docs/specification.md', 'utf8');
const choices = readFileSync('docs/choices.md', 'utf8');

/** Numbers of the sections, and of the points in their lists: `4.1`, `2.1 (4)`. */
const SECTIONS = specification.split(/^#{2,3} (?=\d)/m).flatMap((section) => {
  const [, number = ''] = /^(\d+(?:\.\d+)?)/.exec(section) ?? [];
  return [number, ...[...section.matchAll(/^(\d+)\. /gm)].map(([, point]) => `${number} (${point})`)];
});
const ROWS = [...choices.matchAll(/^### <a id="\w+"><\/a>(\w+)\. /gm)].map(([, row]) => row);
const PARTS = [...choices.matchAll(/^## (\d+)\. /gm)].map(([, number]) => `section ${number}`);

const cited = [
  ...filesIn('src', 'test', 'bench', 'scripts', 'docs'),
  ...filesOfPackages(),
  ...filesIn('ormconfig.ts', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'),
].filter(({ path }) => /\.(ts|tsx|mjs|md)$/.test(path) && !path.endsWith('/citations.spec.ts'));

/** What is cited behind a word, one or several of them: `specification 4.1`, `choices X5 to X8, S2`. */
function inText({ text }: SourceFile, word: string, item: string): string[] {
  // A comment may continue a citation on its next line.
  const unwrapped = text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  const citation = new RegExp(`\\b${word} (${item}(?:(?:, | and | or | to )${item})*)`, 'gi');
  return [...unwrapped.matchAll(citation)].flatMap(
    ([, list = '']) => list.match(new RegExp(item, 'g')) ?? [],
  );
}

/** What is cited in parentheses at the end of a test's name: `(4.2, X5 to X8)`. */
function inTestNames({ path, text }: SourceFile, item: string): string[] {
  if (!path.endsWith('.spec.ts')) return [];
  return [...text.matchAll(/ \(([^()\n]*)\)'/g)]
    .flatMap(([, inside = '']) => inside.split(', '))
    .filter((one) => new RegExp(`^${item}(?: to ${item})?$`).test(one))
    .flatMap((one) => one.split(' to '));
}

describe('a citation', () => {
  it.each([
    [
      'of the specification names a section of docs/specification.md',
      'specification',
      '\\d+(?:\\.\\d+)?(?: \\(\\d+\\))?',
      SECTIONS,
    ],
    ['of a choice names one of docs/choices.md', 'choices?', '[A-Z]\\d+\\b', ROWS],
    ['of several choices names a section of docs/choices.md', 'choices,', 'section \\d+', PARTS],
  ])('%s', (_, word, item, known) => {
    const missing = cited.flatMap((file) =>
      [...inText(file, word, item), ...inTestNames(file, item)]
        .filter((one) => !known.includes(one))
        .map((one) => `${file.path} cites ${one}`),
    );
    expect(missing).toEqual([]);
  });

  it('calls a choice so, and nothing else', () => {
    const others = cited.filter(({ text }) => /\bcontract,?\s(?:[\s*/]*)(?:[A-Z]\d|section \d)/i.test(text));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it('of a page names a file', () => {
    const missing = cited.flatMap(({ path, text }) =>
      (text.match(/\b(?:packages\/\w+\/)?docs\/[\w/.-]+\.md\b/g) ?? [])
        // A package cites its own pages, too.
        .filter((page) => ![page, `${path.split('/', 2).join('/')}/${page}`].some((one) => existsSync(one)))
        .map((page) => `${path} cites ${page}`),
    );
    expect(missing).toEqual([]);
  });
});
