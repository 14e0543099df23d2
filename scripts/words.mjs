// npm run words: the length of each page of docs/. npm run lint fails where pages are longer than readers are asked to read.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ROOT } from './prepare.mjs';

const WORDS_MAX = 45_000;
const GUIDE_WORDS_MAX = 2_500;
const GUIDES = ['load-files', 'write-a-client', 'operate-and-deploy', 'change-the-code'].map(
  (name) => `docs/${name}.md`,
);
const BYTES_MAX = { 'docs/choices.md': 45_000, 'docs/performance.md': 15_000 };

/** @returns path, words as `wc -w` counts them, and bytes of each page */
function pages() {
  const names = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'docs'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return names
    .split('\0')
    .filter((path) => path.endsWith('.md') && existsSync(path))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path, words: text.split(/\s+/).filter(Boolean).length, bytes: Buffer.byteLength(text) };
    });
}

function sumOf(all) {
  return all.reduce((sum, { words }) => sum + words, 0);
}

/** @returns a sentence for each page, or for all pages, that has more words or bytes than it may have */
export function tooLong() {
  const all = pages();
  const limits = [
    ['docs', sumOf(all), WORDS_MAX, 'words'],
    ...all
      .filter(({ path }) => GUIDES.includes(path))
      .map(({ path, words }) => [path, words, GUIDE_WORDS_MAX, 'words']),
    ...all
      .filter(({ path }) => path in BYTES_MAX)
      .map(({ path, bytes }) => [path, bytes, BYTES_MAX[path], 'bytes']),
  ];
  return limits
    .filter(([, length, most]) => length > most)
    .map(([path, length, most, unit]) => `${path} has ${length} ${unit}; at most ${most} are allowed`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.chdir(ROOT);
  const all = pages().sort((one, other) => other.words - one.words);
  for (const { path, words } of [...all, { path: `all pages, of ${WORDS_MAX}`, words: sumOf(all) }]) {
    process.stdout.write(`${String(words).padStart(6)}  ${path}\n`);
  }
}
