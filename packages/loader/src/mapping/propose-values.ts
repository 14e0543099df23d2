import { ACCOUNT, fieldType, isKind, type FieldOwner } from '../kinds/fields.js';
import { FACTS } from '../kinds/kinds.js';
import { together, type Evidence, type Seen } from './column-forms.js';
import { choicesOf } from './form-rules.js';
import { guessDates, type DatePatternGuess } from './guess-dates.js';
import {
  guessAmounts,
  guessBooleans,
  guessChoices,
  guessSign,
  isNegative,
  HAS_THOUSANDS,
  OPEN,
  shownDecimal,
  type AmountForm,
} from './guess-values.js';
import type { ColumnSample } from './column-shapes.js';
import WORDS from './words.json' with { type: 'json' };

/** A long number after a spreadsheet has rounded it. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/i;

/** Proposes sources and forms for the columns of one file, and gives the reasons. */
export class ValueProposals {
  constructor(
    private readonly owner: FieldOwner,
    private readonly samples: readonly ColumnSample[],
    private readonly hasSemicolons: boolean,
    private readonly remarks: string[],
  ) {}

  /** The source of a field that comes from one column. It is the name of the column if the values need no form. */
  sourceOf(field: string, column: string): unknown {
    const type = fieldType(this.owner, field);
    if (type === 'date' || type === 'date-time') return this.datesOf(field, column, type);
    const { forms, words: all } = this.evidenceOf(column);
    const words = all ?? this.samples.find(({ name }) => name === column)?.values ?? [];
    const isText = forms.some(({ json }) => json === 'text');
    const amount = type === 'number' ? this.amountOf(field, [column]) : undefined;
    const values =
      type === 'boolean'
        ? guessBooleans(words, isText)
        : type === 'text'
          ? this.choicesOf(field, words)
          : undefined;
    if (amount ?? values) return { column, ...(amount && { amount }), ...(values && { values }) };
    return type === 'text' ? this.textOf(field, column, forms) : column;
  }

  /** An amount in two columns. */
  debitAndCredit(field: string, debit: string, credit: string): unknown {
    const amount = this.amountOf(field, [debit, credit]);
    const shares = [debit, credit].map((column) => this.minusShare(column));
    const hasMinus = shares.some((share) => share > 0);
    const minus = shares.includes(1) ? 'sign' : OPEN;
    if (hasMinus)
      this.remarks.push(
        minus === OPEN
          ? `${field}: some amounts of ${debit} and ${credit} have a minus: fill in "minus", "sign" if it only repeats the column, "reversal" if it turns it round.`
          : `${field}: all amounts of ${debit} or ${credit} have a minus, which is read as repeating the column ("minus": "sign"). Check it.`,
      );
    return { debit, credit, ...(hasMinus && { minus }), ...(amount && { amount }) };
  }

  /**
   * An amount whose sign is in another column.
   *
   * @param column the column of the amount, if it is known
   */
  signed(field: string, column: string | undefined, sign: string): unknown {
    const amount = column === undefined ? undefined : this.amountOf(field, [column]);
    const words = guessSign(this.evidenceOf(sign).words);
    if (words === OPEN || Object.values(words).includes(OPEN))
      this.sayOpenWords(field, `the words of ${sign}`);
    else
      this.remarks.push(
        `${field}: its sign is read from ${sign}: ${JSON.stringify(words)}, where -1 reduces what the customer owes. Check it.`,
      );
    if (column !== undefined && this.minusShare(column) > 0)
      this.remarks.push(
        `${field}: ${column} has signs of its own. If ${sign} only repeats them, remove "sign" and list ${sign} in "ignore".`,
      );
    return { column: column ?? OPEN, ...(amount && { amount }), sign: { column: sign, words } };
  }

  private evidenceOf(...columns: readonly string[]): Evidence {
    const own = this.samples.filter(({ name }) => columns.includes(name));
    return together(own.map(({ evidence }) => evidence));
  }

  private amountOf(field: string, columns: readonly string[]): AmountForm | undefined {
    const evidence = this.evidenceOf(...columns);
    const { amount, otherCurrencies } = guessAmounts(evidence);
    const { decimal, thousands, words = {}, currency } = amount ?? {};
    const example = evidence.forms.find(({ text }) => HAS_THOUSANDS.test(text))?.text.trim();
    if (decimal === OPEN) {
      const { sign, reason } = this.likelyDecimal(columns);
      const open = thousands === OPEN ? '"decimal" and "thousands"' : '"decimal"';
      this.remarks.push(
        `${field}: amounts${example === undefined ? '' : ` such as ${example}`} could be two numbers: fill in ${open}. Probably the decimal sign is "${sign}", because ${reason}.`,
      );
    } else if (thousands === OPEN)
      this.remarks.push(
        `${field}: the decimal sign is "${decimal}", and amounts such as ${example ?? ''} could be two numbers: fill in "thousands".`,
      );
    else if (decimal)
      this.remarks.push(`${field}: amounts are read with the decimal sign "${decimal}". Check it.`);
    if (Object.values(words).includes(OPEN))
      this.sayOpenWords(field, `the words ${Object.keys(words).join(', ')}`);
    if (currency && otherCurrencies.length > 0)
      this.remarks.push(
        `${field}: amounts are read in ${currency.join()}. Those in ${otherCurrencies.join(', ')} fail.`,
      );
    return amount;
  }

  /** The share of negative amounts among those that are not zero. */
  private minusShare(column: string): number {
    const filled = this.evidenceOf(column).forms.filter(({ text }) => /[1-9]/.test(text));
    const negative = filled.filter(({ text }) => isNegative(text));
    return negative.length / Math.max(1, filled.length);
  }

  private sayOpenWords(field: string, words: string): void {
    this.remarks.push(
      `${field}: fill in what ${words} mean: 1 increases what the customer owes, -1 reduces it.`,
    );
  }

  /** The decimal sign that the rest of the file suggests. */
  private likelyDecimal(own: readonly string[]): { sign: string; reason: string } {
    const others = this.samples.filter(({ name, evidence }) => !own.includes(name) && evidence.isWhole);
    for (const { name, evidence } of others) {
      const numbers = evidence.forms.filter(({ json }) => json !== 'number');
      const sign = numbers.some(({ text }) => /\p{L}/u.test(text)) ? OPEN : shownDecimal(numbers, {});
      if (sign !== undefined && sign !== OPEN) return { sign, reason: `${name} has it` };
    }
    const isDay = ({ text }: Seen): boolean => /^\d{1,2}\.\d{1,2}\.\d{2,4}/.test(text);
    const days = others.find(({ evidence: { forms } }) => forms.length > 0 && forms.every(isDay));
    const header = this.samples.find(({ name }) => new RegExp(WORDS.comma, 'i').test(name));
    const reason = days
      ? `${days.name} has days such as ${days.evidence.forms[0]?.text ?? ''}`
      : this.hasSemicolons
        ? 'cells are separated by ;'
        : header && `of the language of ${header.name}`;
    return reason === undefined
      ? { sign: '.', reason: 'nothing in the file speaks for a comma' }
      : { sign: ',', reason };
  }

  private datesOf(field: string, column: string, type: 'date' | 'date-time'): unknown {
    const { forms, isWhole } = this.evidenceOf(column);
    const dates = isWhole ? guessDates(forms, type) : undefined;
    if (!dates) return column;
    const { patterns, language, epoch } = dates;
    const zone = 'fill in their "timezone", such as Europe/London';
    if (epoch) {
      const unit = epoch === 's' ? 'seconds' : 'milliseconds';
      this.remarks.push(`${field}: ${unit} since 1970${type === 'date' ? `: ${zone}.` : '. Check it.'}`);
      return { column, epoch, ...(type === 'date' && { timezone: OPEN }) };
    }
    const written = patterns.map((guess) =>
      this.isOpenDay(field, column, type, guess) ? OPEN : guess.pattern,
    );
    if (written.length === 0) {
      this.remarks.push(`${field}: ${forms[0]?.text.trim() ?? ''} has no known form: fill in the form.`);
      written.push(OPEN);
    }
    if (written.length > 1)
      this.remarks.push(
        `${field}: dates are in several forms, ${written.join(' and ')}. Those that two read differently fail.`,
      );
    const isShort = patterns.some(({ pattern }) => /(?<!Y)YY(?!Y)/.test(pattern));
    if (isShort)
      this.remarks.push(
        `${field}: years of two digits: fill in "first_year", the first of the hundred years they are from, such as 1970.`,
      );
    const beside = { ...(language !== undefined && { language }), ...(isShort && { first_year: OPEN }) };
    const withOffset = written.filter((pattern) => pattern.endsWith('Z'));
    if (type === 'date') {
      if (withOffset.length > 0)
        this.remarks.push(
          `${field}: times with an offset, of which the day is read as it is written. Check it.`,
        );
      return { column, dates: written.length === 1 ? written[0] : written, ...beside };
    }
    const isLocal = withOffset.length < written.length;
    if (isLocal) this.remarks.push(`${field}: times without an offset: ${zone}.`);
    return { column, moment: { forms: written, ...(isLocal && { timezone: OPEN }), ...beside } };
  }

  /** Whether the days could also be read as other days. If so, a remark is added. */
  private isOpenDay(field: string, column: string, type: string, guess: DatePatternGuess): boolean {
    const { pattern, others, example } = guess;
    const isLate = ({ text }: Seen): boolean =>
      /[T ]2[23]:00(?::00)?(?:[.,]0+)?\s*(?:Z|\+00(?::?00)?)$/.test(text.trim());
    const isEndOfDay = type === 'date' && this.evidenceOf(column).forms.every(isLate);
    if (!isEndOfDay && others.length === 0) return false;
    const all = [pattern, ...others];
    const other = this.orderElsewhere(column, all);
    const likely = other ? `${other.pattern}, because ${other.name} has it` : pattern;
    this.remarks.push(
      isEndOfDay
        ? `${field}: ${example} is the end of a day in UTC, and may be the next day where it was written: fill in the form, ${pattern}, if it is not.`
        : `${field}: days such as ${example} could be ${all.join(' or ')}: fill in the form. Probably it is ${likely}.`,
    );
    return true;
  }

  /** One of several possible forms that is the only one to fit another column of the file. */
  private orderElsewhere(
    column: string,
    patterns: readonly string[],
  ): { name: string; pattern: string } | undefined {
    const others = this.samples.filter(({ name, evidence }) => name !== column && evidence.isWhole);
    const found = others.flatMap(({ name, evidence }) =>
      (guessDates(evidence.forms, 'date')?.patterns ?? []).map((guess) => ({ name, ...guess })),
    );
    return found.find(({ pattern, others: more }) => more.length === 0 && patterns.includes(pattern));
  }

  private choicesOf(field: string, words: readonly string[]): Readonly<Record<string, string>> | undefined {
    const choices = choicesOf(this.owner, field);
    const meant = choices && guessChoices(words, choices);
    if (!choices || !meant) return undefined;
    const open = Object.keys(meant).filter((value) => meant[value] === OPEN);
    this.remarks.push(
      open.length > 0
        ? `${field}: fill in what these mean: ${open.join(', ')}. Known are ${choices.join(', ')}.`
        : `${field}: words are read as ${[...new Set(Object.values(meant))].join(', ')}. Check it.`,
    );
    return meant;
  }

  /** A source for a field that is a text. The digits of NDJSON numbers are read as text only if the mapping names the member. */
  private textOf(field: string, column: string, forms: readonly Seen[]): unknown {
    const rounded = forms.find(({ text }) => ROUNDED.test(text));
    const { owner } = this;
    if (rounded && isKind(owner) && (field === ACCOUNT || FACTS[owner].key.includes(field)))
      this.remarks.push(
        `${field}: ${rounded.text} is a number that a spreadsheet has rounded, so different rows may have the same. Export the column as text.`,
      );
    if (!forms.some(({ json }) => json === 'number')) return column;
    this.remarks.push(`${field}: numbers are read as their digits. Check it.`);
    return { column };
  }
}
