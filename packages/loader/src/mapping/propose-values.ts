import { ACCOUNT, fieldType, isKind, operationOf, type FieldOwner } from '../kinds/fields.js';
import { FACTS } from '../kinds/kinds.js';
import { together, type Evidence, type Seen } from './column-forms.js';
import { guessDates, type DatePatternGuess } from './guess-dates.js';
import {
  guessAmounts,
  guessBooleans,
  guessChoices,
  guessSign,
  isNegative,
  OPEN,
  shownDecimal,
  type AmountForm,
} from './guess-values.js';
import type { ColumnSample } from './column-shapes.js';

/** A long number after a spreadsheet has rounded it. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/i;

/** Header words of languages that use a decimal comma. */
const COMMA_LANGUAGES =
  /konto|betrag|datum|beleg|soll|haben|buchung|kunde|rechnung|montant|compte|\u00e9criture|libell\u00e9|importe|fecha|cuenta|importo|fattura|conto|bedrag|rekening|boek|omschrijving/i;

/** Proposes sources and forms for the columns of one file, and gives the reasons. */
export class ValueProposals {
  constructor(
    private readonly owner: FieldOwner,
    private readonly samples: readonly ColumnSample[],
    private readonly delimiter: string,
    private readonly remarks: string[],
  ) {}

  /** The source of a field that comes from one column. It is the name of the column if the values need no form. */
  sourceOf(field: string, column: string): unknown {
    const type = fieldType(this.owner, field);
    const evidence = this.evidenceOf(column);
    if (type === 'number') {
      const amount = this.amountOf(field, [column]);
      return amount ? { column, amount } : column;
    }
    if (type === 'date' || type === 'date-time') return this.datesOf(field, column, type);
    const words = evidence.words ?? this.sample(column)?.values ?? [];
    if (type === 'boolean') {
      const isJson = evidence.forms.some(({ json }) => json === 'text');
      const values = guessBooleans(words, isJson);
      return values ? { column, values } : column;
    }
    this.warnOfRounded(field, evidence);
    return this.choiceOf(field, column, words) ?? this.textOf(field, column, evidence);
  }

  /** An amount in two columns. */
  debitAndCredit(field: string, debit: string, credit: string): unknown {
    const amount = this.amountOf(field, [debit, credit]);
    const signed = [debit, credit].map((column) => signsIn(this.evidenceOf(column)));
    const hasMinus = signed.some(({ negative }) => negative > 0);
    const isRepeated = signed.some(({ negative, filled }) => filled > 0 && negative === filled);
    const minus = isRepeated ? 'sign' : OPEN;
    if (hasMinus)
      this.remarks.push(
        isRepeated
          ? `${field}: all amounts of ${debit} or ${credit} have a minus, which is read as repeating the column ("minus": "sign"). Check it.`
          : `${field}: some amounts of ${debit} and ${credit} have a minus: fill in "minus", "sign" if it only repeats the column, "reversal" if it turns it round.`,
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
    const isOpen = words === OPEN || Object.values(words).includes(OPEN);
    this.remarks.push(
      isOpen
        ? `${field}: fill in what the words of ${sign} mean: 1 increases what the customer owes, -1 reduces it.`
        : `${field}: its sign is read from ${sign}: ${JSON.stringify(words)}, where -1 reduces what the customer owes. Check it.`,
    );
    if (column !== undefined && signsIn(this.evidenceOf(column)).negative > 0)
      this.remarks.push(
        `${field}: ${column} has signs of its own. If ${sign} only repeats them, remove "sign" and list ${sign} in "ignore".`,
      );
    return { column: column ?? OPEN, ...(amount && { amount }), sign: { column: sign, words } };
  }

  private sample(column: string): ColumnSample | undefined {
    return this.samples.find(({ name }) => name === column);
  }

  private evidenceOf(column: string): Evidence {
    return this.sample(column)?.evidence ?? together([]);
  }

  private amountOf(field: string, columns: readonly string[]): AmountForm | undefined {
    const { amount, otherCurrencies } = guessAmounts(
      together(columns.map((column) => this.evidenceOf(column))),
    );
    const { decimal, words = {}, currency } = amount ?? {};
    if (decimal === OPEN) {
      const { sign, reason } = this.likelyDecimal(columns);
      const example = columns
        .flatMap((column) => this.evidenceOf(column).forms)
        .find(({ text }) => /\d[.,]\d{3}(?!\d)/.test(text));
      this.remarks.push(
        `${field}: amounts${example ? ` such as ${example.text.trim()}` : ''} could be two numbers: fill in "decimal". Probably it is "${sign}", because ${reason}. Name the other sign as "thousands" beside it.`,
      );
    } else if (decimal)
      this.remarks.push(`${field}: amounts are read with the decimal sign "${decimal}". Check it.`);
    if (Object.values(words).includes(OPEN))
      this.remarks.push(
        `${field}: fill in what these words mean: ${Object.keys(words).join(', ')}. 1 increases what the customer owes, -1 reduces it.`,
      );
    if (currency && otherCurrencies.length > 0)
      this.remarks.push(
        `${field}: amounts are read in ${currency.join()}. Those in ${otherCurrencies.join(', ')} fail.`,
      );
    return amount;
  }

  /** The decimal sign that the rest of the file suggests. */
  private likelyDecimal(own: readonly string[]): { sign: string; reason: string } {
    for (const { name, evidence } of this.samples) {
      const numbers = evidence.forms.filter(({ json }) => json !== 'number');
      if (own.includes(name) || !evidence.isWhole || numbers.some(({ text }) => /\p{L}/u.test(text)))
        continue;
      const sign = shownDecimal(numbers, {});
      if (sign !== undefined && sign !== OPEN) return { sign, reason: `${name} has it` };
    }
    const days = this.samples.find(({ evidence: { forms, isWhole } }) => {
      const isDay = ({ text }: { text: string }): boolean => /^\d{1,2}\.\d{1,2}\.\d{2,4}/.test(text);
      return isWhole && forms.length > 0 && forms.every(isDay);
    });
    if (days)
      return { sign: ',', reason: `${days.name} has days such as ${days.evidence.forms[0]?.text ?? ''}` };
    if (this.delimiter === ';') return { sign: ',', reason: 'cells are separated by ;' };
    const header = this.samples.find(({ name }) => COMMA_LANGUAGES.test(name));
    if (header) return { sign: ',', reason: `of the language of ${header.name}` };
    return { sign: '.', reason: 'nothing in the file speaks for a comma' };
  }

  private datesOf(field: string, column: string, type: 'date' | 'date-time'): unknown {
    const { forms, isWhole } = this.evidenceOf(column);
    const dates = isWhole ? guessDates(forms, type) : undefined;
    if (!dates) return column;
    const { patterns, language, epoch } = dates;
    const zone = 'fill in their "timezone", such as Europe/London';
    if (epoch) {
      const unit = epoch === 's' ? 'seconds' : 'milliseconds';
      this.remarks.push(`${field} has ${unit} since 1970${type === 'date' ? `: ${zone}.` : '. Check it.'}`);
      return { column, epoch, ...(type === 'date' && { timezone: OPEN }) };
    }
    const written = patterns.map((guess) =>
      this.isOpenDay(field, column, type, guess) ? OPEN : guess.pattern,
    );
    const said = written.length === 1 ? written[0] : written;
    if (written.length > 1)
      this.remarks.push(
        `The dates of ${field} are in several forms, ${written.join(' and ')}. Those that two read differently fail.`,
      );
    const isShort = written.some((pattern) => /(?<!Y)YY(?!Y)/.test(pattern));
    if (isShort)
      this.remarks.push(
        `${field} has years of two digits: fill in "first_year", the first of the hundred years they are from, such as 1970.`,
      );
    const beside = { ...(language !== undefined && { language }), ...(isShort && { first_year: OPEN }) };
    const hasOffset = (pattern: string): boolean => pattern.endsWith('Z');
    if (type === 'date') {
      if (written.some(hasOffset))
        this.remarks.push(
          `${field} has times with an offset, of which the day is read as it is written. Check it.`,
        );
      return { column, dates: said, ...beside };
    }
    const isLocal = !written.every(hasOffset);
    if (isLocal) this.remarks.push(`${field} has times without an offset: ${zone}.`);
    return { column, moment: { forms: written, ...(isLocal && { timezone: OPEN }), ...beside } };
  }

  /** Whether the days could also be read as other days. If so, a remark is added. */
  private isOpenDay(field: string, column: string, type: string, guess: DatePatternGuess): boolean {
    const { pattern, others, example } = guess;
    const { forms } = this.evidenceOf(column);
    const isLate = ({ text }: Seen): boolean =>
      /[T ]2[23]:00(?::00)?(?:[.,]0+)?\s*(?:Z|\+00(?::?00)?)$/.test(text.trim());
    if (type === 'date' && forms.every(isLate)) {
      this.remarks.push(
        `${field}: ${example} is the end of a day in UTC, and may be the next day where it was written: fill in the form, ${pattern}, if it is not.`,
      );
      return true;
    }
    if (others.length === 0) return false;
    const all = [pattern, ...others];
    const other = this.orderElsewhere(column, all);
    const likely = other ? `${other.pattern}, because ${other.name} has it` : pattern;
    this.remarks.push(
      `${field}: days such as ${example} could be ${all.join(' or ')}: fill in the form. Probably it is ${likely}.`,
    );
    return true;
  }

  /** The only one of several possible forms that also fits another column of the file. */
  private orderElsewhere(
    column: string,
    patterns: readonly string[],
  ): { name: string; pattern: string } | undefined {
    for (const { name, evidence } of this.samples) {
      const dates = name === column || !evidence.isWhole ? undefined : guessDates(evidence.forms, 'date');
      const sure =
        dates?.patterns.filter(({ others }) => others.length === 0).map((one) => one.pattern) ?? [];
      const pattern = patterns.find((one) => sure.includes(one));
      if (pattern !== undefined) return { name, pattern };
    }
    return undefined;
  }

  private choiceOf(field: string, column: string, words: readonly string[]): unknown {
    const choices = isKind(this.owner) ? operationOf(this.owner).choices[field] : undefined;
    const meant = choices && guessChoices(words, choices);
    if (!choices || !meant) return undefined;
    const open = Object.keys(meant).filter((value) => meant[value] === OPEN);
    this.remarks.push(
      open.length > 0
        ? `${field}: fill in what these mean: ${open.join(', ')}. Known are ${choices.join(', ')}.`
        : `${field}: words are read as ${[...new Set(Object.values(meant))].join(', ')}. Check it.`,
    );
    return { column, values: meant };
  }

  /** A source for a field that is a text. The digits of NDJSON numbers are read as text only if the mapping names the member. */
  private textOf(field: string, column: string, { forms }: Evidence): unknown {
    const numbers = forms.filter(({ json }) => json === 'number');
    if (numbers.length === 0) return column;
    this.remarks.push(`${field}: numbers are read as their digits. Check it.`);
    return { column };
  }

  private warnOfRounded(field: string, { forms }: Evidence): void {
    const rounded = forms.find(({ text }) => ROUNDED.test(text));
    const { owner } = this;
    if (rounded && isKind(owner) && (field === ACCOUNT || FACTS[owner].key.includes(field)))
      this.remarks.push(
        `${field}: ${rounded.text} is a number that a spreadsheet has rounded, so different rows may have the same. Export the column as text.`,
      );
  }
}

/** The number of amounts in a column that are not zero, and the number of those that are negative. */
function signsIn({ forms }: Evidence): { filled: number; negative: number } {
  const filled = forms.filter(({ text }) => /[1-9]/.test(text));
  const count = (some: typeof filled): number => some.reduce((sum, one) => sum + one.count, 0);
  return { filled: count(filled), negative: count(filled.filter(({ text }) => isNegative(text))) };
}
