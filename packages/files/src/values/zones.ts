import { WrongUsage } from '../common/errors.js';

/** The choices for a time that a clock shows twice. */
export const AMBIGUOUS = ['earlier', 'later'] as const;

export type Ambiguous = (typeof AMBIGUOUS)[number];

const DAY_MS = 86_400_000;

/** The end of the text that `timeZoneName: 'longOffset'` produces: `GMT`, `GMT+01:00`, `GMT-00:01:15`. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** A time zone of the IANA database, as Node.js has it. */
export class Zone {
  private readonly format: Intl.DateTimeFormat;
  /** The offset by UTC day; NaN for a day on which the clocks change. A file has few different days. */
  private readonly offsets = new Map<number, number>();

  /**
   * @param name the name of a zone, such as `Europe/London` or `UTC`. Abbreviations are rejected: `BST` is the time of
   * Dhaka, `EST` has no summer time
   * @param place the place of the name in the mapping, for the message
   * @throws WrongUsage
   */
  constructor(
    readonly name: string,
    place: string,
  ) {
    try {
      if (!name.includes('/') && name !== 'UTC') throw new RangeError(name);
      this.format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    } catch (error) {
      throw new WrongUsage(
        `${place}: ${JSON.stringify(name)} is no time zone; expected is a name such as Europe/London, or UTC.`,
        { cause: error },
      );
    }
  }

  /**
   * The instants at which the clocks of the zone show a time.
   *
   * @param local the time as if it were UTC, milliseconds since 1970
   * @returns in ascending order; none for a time that is skipped when the clocks go forward, two for a repeated time
   */
  instantsOf(local: number): number[] {
    const offsets = new Set([local - DAY_MS, local, local + DAY_MS].map((instant) => this.offsetAt(instant)));
    return [...offsets]
      .map((offset) => local - offset)
      .filter((instant) => instant + this.offsetAt(instant) === local)
      .sort((one, other) => one - other);
  }

  /** @returns the time that the clocks of the zone show, as if it were UTC */
  localOf(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** @returns the number of milliseconds by which the clocks are ahead of UTC */
  private offsetAt(instant: number): number {
    const day = Math.floor(instant / DAY_MS);
    let known = this.offsets.get(day);
    if (known === undefined) {
      const [first, last] = [this.lookUp(day * DAY_MS), this.lookUp((day + 1) * DAY_MS)];
      known = first === last ? first : NaN;
      this.offsets.set(day, known);
    }
    return Number.isNaN(known) ? this.lookUp(instant) : known;
  }

  private lookUp(instant: number): number {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      OFFSET.exec(this.format.format(instant)) ?? [];
    const milliseconds = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -milliseconds : milliseconds;
  }
}
