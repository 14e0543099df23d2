import MiniSearch from 'minisearch';
import { readContent, type SearchSection } from './docs-content.js';

/** What is longer is no question, and would take time. */
const QUERY_LENGTH_MAX = 100;
const HITS_MAX = 20;
/** Characters of a snippet before the first word that matches, and in all. */
const SNIPPET_BEFORE = 60;
const SNIPPET_LENGTH = 240;

/** A part of a text, and whether it matches. */
export interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

export interface DocsHit {
  readonly section: SearchSection;
  readonly snippet: readonly SnippetPart[];
}

export interface DocsHits {
  readonly total: number;
  /** The best ones. */
  readonly hits: readonly DocsHit[];
}

const WORDS = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*/gu;

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

let index: Promise<MiniSearch<SearchSection>> | undefined;

/**
 * The sections of the guides and the operations that have all words of a query, or, where none has all of them, some; the best first.
 * Beginnings of words match, and words with a typing error.
 */
export async function searchDocs(query: string): Promise<DocsHits> {
  index ??= readContent().then(({ sections }) => indexOf(sections));
  const words = query.slice(0, QUERY_LENGTH_MAX);
  const all = (await index).search(words, { combineWith: 'AND' });
  const found = all.length > 0 ? all : (await index).search(words);
  const hits = found.slice(0, HITS_MAX).map((hit) => {
    const section = hit as unknown as SearchSection;
    return { section, snippet: snippetOf(section.text, hit.terms) };
  });
  return { total: found.length, hits };
}

function indexOf(sections: readonly SearchSection[]): MiniSearch<SearchSection> {
  const made = new MiniSearch<SearchSection>({
    idField: 'address',
    fields: ['heading', 'page', 'text'],
    storeFields: ['address', 'heading', 'page', 'text'],
    // A code such as account_not_found is one word, and its parts are words too.
    tokenize: (text) =>
      wordsOf(text).flatMap((word) => [word, ...(word.includes('_') ? word.split('_') : [])]),
    searchOptions: {
      tokenize: wordsOf,
      boost: { heading: 4, page: 2 },
      prefix: true,
      fuzzy: (word) => word.length > 4 && 0.2,
    },
  });
  made.addAll(sections);
  return made;
}

/** The text around the first word that matches, in parts that match and do not. @param terms in lower case */
function snippetOf(text: string, terms: readonly string[]): SnippetPart[] {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length).join('|');
  const matches = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst})(?![\\p{L}\\p{N}])`, 'giu');
  const first = text.search(matches);
  const from = first <= SNIPPET_BEFORE ? 0 : text.indexOf(' ', first - SNIPPET_BEFORE) + 1;
  const cut = text.slice(from, from + SNIPPET_LENGTH);
  const whole = from + SNIPPET_LENGTH < text.length ? `${cut.slice(0, cut.lastIndexOf(' '))} …` : cut;
  const shown = `${from > 0 ? '… ' : ''}${whole}`;
  const parts: SnippetPart[] = [];
  let end = 0;
  for (const { 0: match, index: at } of shown.matchAll(matches)) {
    parts.push({ text: shown.slice(end, at), isMatch: false }, { text: match, isMatch: true });
    end = at + match.length;
  }
  return [...parts, { text: shown.slice(end), isMatch: false }];
}
