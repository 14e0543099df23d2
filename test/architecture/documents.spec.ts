import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { filesIn, filesOfPackages, type SourceFile } from './sources.js';

/** README.md, CONTRIBUTING.md, CHANGELOG.md, every page below docs, and those of each package. */
const pages = [
  ...filesIn('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs'),
  ...filesOfPackages(),
].filter(({ path }) => path.endsWith('.md'));
const byPath = new Map(pages.map((page) => [page.path, page]));

/** A page with more lines than this needs a table of contents. */
const LINES_WITHOUT_CONTENTS_MAX = 120;

/** The text of a page without its blocks of code. */
function proseOf({ text }: SourceFile): string {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, '');
}

/** The anchors of a page as GitHub makes them: of its headings, and those that are written as `<a id="…">`. */
function anchorsOf(page: SourceFile): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const written = [...page.text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...written];
}

function anchorOf(heading: string): string {
  const bare = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return bare.trim().replace(/\s/g, '-');
}

/** The links of a page to files of the project and to itself. */
function linksOf(page: SourceFile): { written: string; path: string; anchor: string | undefined }[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, written = '']) => written)
    .filter((written) => !/^[a-z]+:/.test(written))
    .map((written) => {
      const [path = '', anchor] = written.split('#');
      const target = path === '' ? page.path : posix.join(posix.dirname(page.path), path);
      return { written, path: target, anchor };
    });
}

/** Whether the page shows a new file: a difference that only adds lines follows its name. */
function isWrittenByReader(text: string, named: string): boolean {
  const behind = text.split(`\`${named}\``).at(-1) ?? '';
  return /^[^`]*```diff\n(?:\+.*\n)+```/.test(behind);
}

describe('a page', () => {
  it('names its readers in its first paragraph; the index of the decisions names them for all of them', () => {
    const silent = pages
      .filter(({ path }) => !/\/decisions\/\d/.test(path))
      .filter(({ text }) => !/^# .+\n\nFor /.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ path, anchor }) => {
          const target = byPath.get(path);
          if (anchor === undefined || !target) return !existsSync(path);
          return !anchorsOf(target).includes(anchor);
        })
        .map(({ written }) => `${page.path} links to ${written}`),
    );
    expect(broken).toEqual([]);
  });

  it('names files that exist', () => {
    const missing = pages.flatMap(({ path, text }) =>
      (text.match(/`(?:src|test|bench|scripts|contract|deploy)\/[\w/.-]+\.\w+`/g) ?? [])
        .map((named) => named.slice(1, -1))
        .filter((named) => !existsSync(named) && !isWrittenByReader(text, named))
        .map((named) => `${path} names ${named}`),
    );
    expect(missing).toEqual([]);
  });

  it(`of more than ${LINES_WITHOUT_CONTENTS_MAX} lines has a table of contents`, () => {
    const missing = pages
      .filter(({ text }) => text.split('\n').length > LINES_WITHOUT_CONTENTS_MAX)
      .flatMap((page) => {
        const linked = linksOf(page).flatMap(({ path, anchor }) => (path === page.path ? [anchor] : []));
        return [...proseOf(page).matchAll(/^## (.*)$/gm)]
          .filter(([, heading = '']) => !linked.includes(anchorOf(heading)))
          .map(([heading]) => `${page.path} does not link to ${heading}`);
      });
    expect(missing).toEqual([]);
  });

  it('is reached from README.md', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const page = byPath.get(path);
      for (const link of page ? linksOf(page) : []) reached.add(link.path);
    }
    // By convention these are found without a link.
    const known = new Set(['CHANGELOG.md', 'CONTRIBUTING.md']);
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path) && !known.has(path))).toEqual(
      [],
    );
  });
});

it('docs/architecture.md lists the plugins in the order in which they are registered', () => {
  const [createApp] = filesIn('src/http/create-app.ts');
  const registered = [...createApp!.text.matchAll(/^ .*?\b(\w+)Plugin\(\s*instance/gm)].map(([, name = '']) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const listed = [...byPath.get('docs/architecture.md')!.text.matchAll(/^\| `([\w-]+)\.plugin\.ts` \|/gm)];
  expect(listed.length).toBeGreaterThan(10);
  // Those of routes are named below the table.
  expect([...listed.map(([, name]) => name), 'graphql-route', 'docs']).toEqual(registered);
});

it('docs/troubleshooting.md quotes what the service prints when it does not start', () => {
  const source = filesIn('src')
    .map(({ text }) => text)
    .join('\n');
  const section = byPath.get('docs/troubleshooting.md')!.text.split(/^## /m)[1]!;
  const quoted = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => line.split('|')[1]!.match(/`[^`]+`/g) ?? [])
    .map((quotation) => quotation.slice(1, -1));
  expect(quoted.length).toBeGreaterThan(10);
  const unsaid = quoted.filter((quotation) =>
    quotation
      .split(/…|: /)
      .map((part) => part.trim())
      .some((part) => !source.includes(part)),
  );
  expect(unsaid).toEqual([]);
});
