// Part of npm run lint: check the references between pages, comments and tests, and the length of the
// pages. Each breach is a line on standard error; any breach sets exit code 1.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { ROOT } from './prepare.mjs';
import { tooLong } from './words.mjs';

process.chdir(ROOT);

/** A page with more sections than this needs a table of contents. */
const SECTIONS_WITHOUT_CONTENTS_MAX = 6;
/** By convention these are found without a link. */
const KNOWN = new Set(['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/README.md']);

const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const files = names
  .split('\0')
  .filter((path) => path !== 'package-lock.json' && /\.(ts|tsx|mjs|md|json|ya?ml|sql|sh|example)$/.test(path))
  .filter((path) => existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const byPath = new Map(files.map((file) => [file.path, file.text]));
const pages = files.filter(({ path }) => /^(packages\/\w+\/)?(docs\/.*|[A-Z]+)\.md$/.test(path));
const tests = files.filter(({ path }) => path.endsWith('.spec.ts'));

const breaches = [
  ...choices(),
  ...files.filter(({ path }) => /\.(ts|tsx|mjs|md)$/.test(path)).flatMap(citations),
  ...pages.flatMap(page),
  ...unreached(),
  ...plugins(),
  ...wayOfPost(),
  ...quotations(),
  ...tooLong(),
  ...files
    .filter(isOfThisMachine)
    .map(({ path }) => `${path} names a folder of the machine it was written on`),
];
for (const breach of breaches) process.stderr.write(`${breach}\n`);
process.exitCode = breaches.length > 0 ? 1 : 0;

/** Choices are numbered without gaps, have an answer, and name a test file with a test whose name ends with the choice. */
function choices() {
  const sections = byPath.get('docs/choices.md').split(/^(?=###? )/m);
  let last = '';
  return sections
    .filter((section) => section.startsWith('### '))
    .flatMap((section) => {
      const [heading] = section.split('\n');
      const [, anchor = '', letter = '', number] =
        /^### <a id="(\w+)"><\/a>([A-Z])(\d+)\. .+$/.exec(heading) ?? [];
      const row = `${letter}${number}`;
      const [, answer = '', test] = /^### .+\n\n([\s\S]+)\n\nTest: `(.+)`\n/.exec(section) ?? [];
      const follows = last.startsWith(letter) ? Number(last.slice(1)) + 1 : 1;
      last = row;
      if (anchor !== row.toLowerCase() || Number(number) !== follows) return [`docs/choices.md: ${heading}`];
      const found = [];
      if (answer === '') found.push(`${row} has no answer or test`);
      const proofs = tests
        .filter(({ text }) => provesIn(text, letter, Number(number)))
        .map(({ path }) => basename(path, '.spec.ts'));
      if (!proofs.includes(test))
        found.push(`${row} is not in ${test}, but in ${proofs.join(', ') || 'no test'}`);
      return found.map((breach) => `docs/choices.md: ${breach}`);
    });
}

/** Whether the parentheses at the end of some test's name contain a choice: `(T4, T16)`, `(X1 to X3)`. */
function provesIn(text, letter, number) {
  return [...text.matchAll(/\(([^()\n]*)\)'/g)].some(([, inside]) => {
    if (new RegExp(`\\b${letter}${number}\\b`).test(inside)) return true;
    const [, from, to] = new RegExp(`\\b${letter}(\\d+) to ${letter}(\\d+)\\b`).exec(inside) ?? [];
    return Number(from) <= number && number <= Number(to);
  });
}

/** Cited sections of the specification, choices and pages exist. A package may also cite its own pages. */
function citations({ path, text }) {
  const specification = byPath.get('docs/specification.md').split(/^#{2,3} (?=\d)/m);
  const sections = specification.flatMap((section) => {
    const [number = ''] = /^\d+(?:\.\d+)?/.exec(section) ?? [];
    return [number, ...[...section.matchAll(/^(\d+)\. /gm)].map(([, point]) => `${number} (${point})`)];
  });
  const rows = [...byPath.get('docs/choices.md').matchAll(/^### <a id="\w+"><\/a>(\w+)\. /gm)];
  const parts = [...byPath.get('docs/choices.md').matchAll(/^## (\d+)\. /gm)];
  // A comment may continue a citation on its next line.
  const unwrapped = text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  const inNames = path.endsWith('.spec.ts')
    ? [...text.matchAll(/ \(([^()\n]*)\)'/g)].flatMap(([, inside]) => inside.split(', '))
    : [];
  const missing = [
    ['specification', '\\d+(?:\\.\\d+)?(?: \\(\\d+\\))?', sections],
    ['choices?', '[A-Z]\\d+\\b', rows.map(([, row]) => row)],
    ['choices,', 'section \\d+', parts.map(([, number]) => `section ${number}`)],
  ].flatMap(([word, item, known]) => {
    const cited = new RegExp(`\\b${word} (${item}(?:(?:, | and | or | to )${item})*)`, 'gi');
    const named = inNames.filter((one) => new RegExp(`^${item}(?: to ${item})?$`).test(one));
    return [...[...unwrapped.matchAll(cited)].map(([, list]) => list), ...named]
      .flatMap((list) => list.match(new RegExp(item, 'g')) ?? [])
      .filter((one) => !known.includes(one));
  });
  const own = path.split('/', 2).join('/');
  const lost = (text.match(/\b(?:packages\/\w+\/)?docs\/[\w/.-]+\.md\b/g) ?? []).filter(
    (one) => !byPath.has(one) && !byPath.has(`${own}/${one}`),
  );
  return [...missing, ...lost].map((one) => `${path} cites ${one}`);
}

/** A page names its readers, links and names what exists, and has a table of contents when it has many sections. */
function page({ path, text }) {
  const links = linksOf(path);
  const found = [];
  // The index of the decisions names the readers for all of them.
  if (!/\/decisions\/\d/.test(path) && !/^# .+\n\nFor /.test(text)) found.push('does not name its readers');
  for (const { written, target, anchor } of links) {
    const isThere =
      anchor !== undefined && byPath.has(target) ? anchorsOf(target).includes(anchor) : existsSync(target);
    if (!isThere) found.push(`links to ${written}`);
  }
  for (const [, named] of text.matchAll(/`((?:src|test|bench|scripts|contract|deploy)\/[\w/.-]+\.\w+)`/g)) {
    // Or its readers write the file: a difference that only adds lines follows its name.
    const isWritten = new RegExp(`\`${named}\`[^\`]*\`\`\`diff\\n(?:\\+.*\\n)+\`\`\``).test(text);
    if (!existsSync(named) && !isWritten) found.push(`names ${named}`);
  }
  const sections = [...proseOf(text).matchAll(/^## (.*)$/gm)];
  if (sections.length > SECTIONS_WITHOUT_CONTENTS_MAX) {
    const linked = links.filter(({ target }) => target === path).map(({ anchor }) => anchor);
    for (const [heading, words] of sections)
      if (!linked.includes(anchorOf(words))) found.push(`has no link to ${heading} in its table of contents`);
  }
  return found.map((breach) => `${path} ${breach}`);
}

function unreached() {
  const reached = new Set(['README.md']);
  for (const path of reached)
    for (const { target } of byPath.has(path) ? linksOf(path) : []) reached.add(target);
  return pages
    .filter(({ path }) => !reached.has(path) && !KNOWN.has(path))
    .map(({ path }) => `${path} is not reached from README.md`);
}

/** The links of a page to project files and to its own headings. */
function linksOf(path) {
  return [...proseOf(byPath.get(path)).matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(
    ([written, target, anchor]) => ({
      written,
      target: target === '' ? path : join(dirname(path), target),
      anchor,
    }),
  );
}

/** A page without its code blocks. */
function proseOf(text) {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, '');
}

/** The anchors that GitHub generates from headings, and those written as `<a id="…">`. */
function anchorsOf(path) {
  const text = byPath.get(path);
  const headings = [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)];
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** docs/architecture.md lists the plugins in the order of their registration. */
function plugins() {
  const created = byPath
    .get('src/apps/http/plugins/http-plugins.ts')
    .matchAll(/^ .*?\b(\w+)Plugin(?:\?\.register)?\(instance/gm);
  const registered = [...created].map(([, name]) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const listed = [...byPath.get('docs/architecture.md').matchAll(/^\| `([\w-]+)\.plugin\.ts` \|/gm)];
  // Plugins of single routes are named below the table.
  const expected = registered.filter((name) => name !== 'graphql-route' && name !== 'docs').join(', ');
  const isSame = expected === listed.map(([, name]) => name).join(', ');
  return isSame ? [] : [`docs/architecture.md lists other plugins than ${expected}`];
}

/** The way of a POST in docs/architecture.md has 21 to 24 files, each once. `page` checks that they exist. */
function wayOfPost() {
  const [, way = ''] = byPath.get('docs/architecture.md').split('### POST transactions/create/\n');
  const [table = ''] = way.split('\n\n').filter((part) => part.startsWith('| Step |'));
  const named = [...table.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, path]) => path);
  const isShort = named.length > 20 && named.length <= 24 && new Set(named).size === named.length;
  return isShort
    ? []
    : [`docs/architecture.md: the way of a POST has ${named.length} files, which are not 21 to 24`];
}

/** The messages of a failed start that docs/troubleshooting.md quotes occur in the sources. */
function quotations() {
  const sources = files
    .filter(({ path }) => path.startsWith('src/'))
    .map(({ text }) => text)
    .join('\n');
  const [, section] = byPath.get('docs/troubleshooting.md').split(/^## /m);
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1]);
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text))
    .filter((text) => text.split(/…|: /).some((part) => !sources.includes(part.trim())))
    .map((text) => `docs/troubleshooting.md quotes ${text}`);
}

function isOfThisMachine({ path, text }) {
  const here = ROOT.split('/').length > 2 && text.includes(`${ROOT}/`);
  return path !== 'scripts/prose.mjs' && (/\/(home|Users)\/\w/.test(text) || here);
}
