import { ACCOUNT, fieldType, type FieldOwner } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import WORDS from './words.json' with { type: 'json' };

/*
 * The members of words.json:
 *
 *   concepts   For each concept, its words in several languages, in lower case and without accents. A word can have several concepts.
 *   fields     For each owner and field, the concepts in the name of a column of the field. `rows` stands for all kinds. `?` marks an
 *              optional concept. `~` at the beginning marks a name that counts only when no other column fits. `!` marks a name that
 *              belongs to a bank if there is also a column for a sort code or an IBAN.
 *   signs      The same for columns that contain the sign of an amount.
 *   files      For each kind, a pattern for the names of its files.
 *   lists      For each list, a pattern for the names of files with its items.
 *   records    For each kind, a pattern for the record types of its rows, in a file with rows of several kinds.
 *   totals     A pattern for the first words of a line with a total, which is not a row.
 *   comma      A pattern for the names of columns in languages that use a decimal comma.
 *
 * A column fits only if these concepts explain all of its words: `Meter Account No` is not an account.
 */

/** A way to name the columns of a field. */
interface Pattern {
  readonly required: readonly string[];
  readonly known: ReadonlySet<string>;
  /** Whether it counts only when no other column fits. */
  readonly isWeak: boolean;
  /** Whether such a column could also belong to a bank. */
  readonly isPlain: boolean;
}

type Patterns = Readonly<Record<string, readonly string[] | undefined>>;
const FIELDS: Readonly<Record<string, Patterns | undefined>> = WORDS.fields;

const CONCEPTS = new Map<string, Set<string>>();
for (const [concept, words] of Object.entries(WORDS.concepts))
  for (const word of words.split(' ')) CONCEPTS.set(word, (CONCEPTS.get(word) ?? new Set()).add(concept));

/** Letters between the parts of a compound, such as `s` in Buchungstag. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e'];
/** Shorter parts of a compound are coincidences, unless they are a number or a date. */
const PART_LENGTH = 3;
const COMPOUND_LENGTH_MAX = 40;

/** The fields that a column fits by its words, and in which way. */
export function fitsOf(owner: FieldOwner, column: string): ReadonlyMap<string, Pattern> {
  const words = conceptsOf(column);
  const found = Object.entries(patternsOf(owner)).flatMap(([field, texts = []]) => {
    const beside = fieldType(owner, field) === 'number' ? 'unit' : 'noise';
    const pattern = texts.map(patternOf).find((one) => fits(words, one, beside));
    return pattern ? [[field, pattern] as const] : [];
  });
  return new Map(found);
}

/** Whether the name of a column says that it has the sign of an amount. */
export function isNamed(column: string, sign: keyof typeof WORDS.signs): boolean {
  return WORDS.signs[sign].some((text) => fits(conceptsOf(column), patternOf(text), 'unit'));
}

/** Whether a word of the name stands for this concept. */
export function speaksOf(column: string, concept: keyof typeof WORDS.concepts): boolean {
  return conceptsOf(column).some((concepts) => concepts.has(concept));
}

/** Whether all known words of a name could be about a field, so that none contradicts it. */
export function mayBeAbout(owner: FieldOwner, field: string, column: string): boolean {
  const known = new Set((patternsOf(owner)[field] ?? []).flatMap((text) => [...patternOf(text).known]));
  return conceptsOf(column).every((concepts) => concepts.size === 0 || isAmong(concepts, known, 'unit'));
}

/** Whether the name of a column says that it is the account of a row of any kind. */
export function isOfAccount(column: string): boolean {
  return normalised(column) === ACCOUNT || KINDS.some((kind) => fitsOf(kind, column).has(ACCOUNT));
}

/** A name in lower case. Its words are separated by `_`, whatever separated them before. */
export function normalised(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
}

function patternsOf(owner: FieldOwner): Patterns {
  return { ...(fieldType(owner, ACCOUNT) && { [ACCOUNT]: FIELDS.rows?.[ACCOUNT] }), ...FIELDS[owner] };
}

const PATTERNS = new Map<string, Pattern>();

function patternOf(text: string): Pattern {
  const parsed = PATTERNS.get(text);
  if (parsed) return parsed;
  const names = text.replace(/^[~!]/, '').split(' ');
  const pattern = {
    required: names.filter((name) => !name.endsWith('?')),
    known: new Set(names.map((name) => name.replace('?', ''))),
    isWeak: text.startsWith('~'),
    isPlain: text.startsWith('!'),
  };
  PATTERNS.set(text, pattern);
  return pattern;
}

function fits(
  words: readonly ReadonlySet<string>[],
  { required, known }: Pattern,
  beside: 'unit' | 'noise',
): boolean {
  return (
    required.every((concept) => words.some((concepts) => concepts.has(concept))) &&
    words.every((concepts) => isAmong(concepts, known, beside))
  );
}

function isAmong(concepts: ReadonlySet<string>, known: ReadonlySet<string>, beside: string): boolean {
  return concepts.has('noise') || concepts.has(beside) || [...concepts].some((concept) => known.has(concept));
}

/** A cache of the concepts in each column name, because each name is looked up many times. */
const LOOKED_AT = new Map<string, ReadonlySet<string>[]>();

/** The concepts of each word of a name; none for a word that is not known. */
function conceptsOf(name: string): ReadonlySet<string>[] {
  const known = LOOKED_AT.get(name) ?? conceptsIn(name);
  LOOKED_AT.set(name, known);
  return known;
}

function conceptsIn(name: string): ReadonlySet<string>[] {
  const isUnit = (text: string): boolean => wordsIn(text).every((word) => CONCEPTS.get(word)?.has('unit'));
  const whole = name.replaceAll(/[([{][^)\]}]*[)\]}]/g, (part) => (isUnit(part) ? ' ' : part));
  return wordsIn(whole)
    .flatMap((word) => partsOf(word) ?? [word])
    .map((word) => CONCEPTS.get(word) ?? new Set());
}

function wordsIn(text: string): string[] {
  const plain = text
    .replaceAll('#', ' number ')
    .replaceAll(/[º°]/g, '')
    .replaceAll(/\b[dl]['’]/gi, ' ')
    .replaceAll('kWh', ' kwh ')
    .replaceAll(/\bA\/C\b/gi, ' account ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** @returns the known words of which a word is composed; undefined if it is not composed of known words */
function partsOf(word: string, isWithin = false): string[] | undefined {
  if (word.length > COMPOUND_LENGTH_MAX) return undefined;
  if (isWithin ? isPart(word) : CONCEPTS.has(word)) return [word];
  for (let length = word.length - 2; length >= 2; length -= 1) {
    const first = word.slice(0, length);
    if (!isPart(first)) continue;
    for (const link of LINKS) {
      const rest = word.startsWith(link, length)
        ? partsOf(word.slice(length + link.length), true)
        : undefined;
      if (rest) return [first, ...rest];
    }
  }
  return undefined;
}

function isPart(word: string): boolean {
  const concepts = CONCEPTS.get(word);
  if (!concepts) return false;
  return (
    word.length >= PART_LENGTH || (word.length === 2 && (concepts.has('number') || concepts.has('date')))
  );
}
