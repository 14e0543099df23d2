import { WrongUsage } from '../common/errors.js';

/** The minimum length of a short name that is the beginning of a long one. */
const PREFIX_MIN = 3;

/** Names that databases write and that `Intl` lacks. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, number>>>> = { de: { mrz: 3 } };

/** The month names of a language. `Intl` provides the long and the short ones, both alone and next to a day. */
export class MonthNames {
  /** A regular expression that matches every text that may be a name. */
  readonly pattern: string;
  private readonly numbers = new Map<string, number>();
  private readonly long: readonly (readonly [string, number])[];

  /** @throws WrongUsage if `Intl` does not have the language, or numbers its months */
  constructor(
    private readonly language: string,
    place: string,
  ) {
    if (!isKnown(language)) {
      throw new WrongUsage(
        `${place}: ${JSON.stringify(language)} is no language whose months are known; expected is a tag such as de, en or fr.`,
      );
    }
    const named = (options: Intl.DateTimeFormatOptions): (readonly [string, number])[] =>
      monthsIn(language, options).map((name, index) => [this.plain(name), index + 1] as const);
    this.long = [...named({ month: 'long' }), ...named({ month: 'long', day: 'numeric' })];
    const short = [...named({ month: 'short' }), ...named({ month: 'short', day: 'numeric' })];
    const names = [...this.long, ...short].filter(([name]) => !/^\d+$/.test(name));
    if (names.length === 0) {
      throw new WrongUsage(`${place}: ${JSON.stringify(language)} has no names of months; use MM or M.`);
    }
    // A name that two months share is not accepted.
    for (const [name, number] of names) this.numbers.set(name, same(this.numbers.get(name), number));
    const [base = ''] = language.toLowerCase().split('-');
    for (const [name, number] of Object.entries(OTHER_NAMES[base] ?? {})) this.numbers.set(name, number);
    const others = names.map(([name]) => name).filter((name) => /[^\p{L}\p{M}]/u.test(name));
    const escaped = others.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.pattern = [...escaped.sort((one, other) => other.length - one.length), '[\\p{L}\\p{M}]+\\.?'].join(
      '|',
    );
  }

  /**
   * The month with a name. Case does not matter.
   *
   * @returns 1 to 12; undefined for a text that is not a name, or that could be the name of two months
   */
  numberOf(text: string): number | undefined {
    const name = this.plain(text);
    const known = this.numbers.get(name);
    if (known !== undefined) return Number.isNaN(known) ? undefined : known;
    if (name.length < PREFIX_MIN) return undefined;
    const found = new Set(this.long.filter(([long]) => long.startsWith(name)).map(([, number]) => number));
    return found.size === 1 ? [...found][0] : undefined;
  }

  private plain(name: string): string {
    return name.toLocaleLowerCase(this.language).normalize('NFC').replace(/\.$/, '');
  }
}

function isKnown(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language]).length > 0;
  } catch {
    return false;
  }
}

function same(known: number | undefined, number: number): number {
  return known === undefined || known === number ? number : NaN;
}

function monthsIn(language: string, options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', calendar: 'gregory', ...options });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2024, month, 15));
    return parts.find(({ type }) => type === 'month')?.value ?? '';
  });
}
