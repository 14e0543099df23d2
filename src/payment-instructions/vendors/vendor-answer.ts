import { VendorRefusal } from './payment-vendor.js';

/**
 * Reads the body of a vendor's answer, which may have any content. Each field is read by name and must have the expected
 * format, so that no other data can be stored by accident.
 *
 * @throws VendorRefusal `unreadable`, from every method
 * Source: choice P3 (a malformed answer is a permanent error).
 */
export class VendorAnswer {
  private readonly fields: Readonly<Record<string, unknown>>;

  /** @param path the path of the value within the answer, for error messages */
  constructor(
    value: unknown,
    private readonly path = 'the answer',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new VendorRefusal('unreadable', `In the vendor's answer, ${path} is not an object.`);
    }
    this.fields = value as Record<string, unknown>;
  }

  part(name: string): VendorAnswer {
    return new VendorAnswer(this.fields[name], name);
  }

  text(name: string, form: RegExp): string {
    const value = this.optionalText(name, form);
    return value ?? this.fail(name);
  }

  /** @returns undefined when the field is absent or null */
  optionalText(name: string, form: RegExp): string | undefined {
    const value = this.fields[name] ?? undefined;
    if (value === undefined || (typeof value === 'string' && form.test(value))) return value;
    return this.fail(name);
  }

  /** @param min and @param max are inclusive */
  wholeNumber(name: string, min: number, max: number): number {
    const value = this.fields[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.fail(name);
  }

  private fail(name: string): never {
    throw new VendorRefusal(
      'unreadable',
      `In the vendor's answer, ${name} of ${this.path} is not as expected.`,
    );
  }
}

/**
 * A vendor's keyword, such as a brand, a scheme or a status. It has fewer digits, in any arrangement, than the shortest card
 * number, which the database would refuse.
 */
export const WORD = /^(?!(?:[^0-9]*[0-9]){12})[a-z][a-z0-9_]{0,39}$/;
/** The only digits of a card or bank account that are stored. */
export const LAST_FOUR = /^[0-9]{4}$/;
/** ISO 3166-1 alpha-2. */
export const COUNTRY = /^[A-Z]{2}$/;
