/** The first day on which Excel and the calendar agree. Excel counts a 29 February 1900, which did not exist. */
const SERIAL_MIN = 61;
/** 31 December 9999. */
const SERIAL_MAX = 2_958_465;
const SERIAL = /^(\d{1,7})(?:\.(\d{1,20}))?$/;

const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** The number of days between day 0 of Excel's two date systems. */
const DAYS_TO_1904 = 1_462;

/** A calendar day as `YYYY-MM-DD`, and a time of day as `HH:mm:ss`, with or without milliseconds. */
export interface ExcelDay {
  readonly day: string;
  readonly time: string;
}

/**
 * Read a day of Excel. A fraction is the time of day and is rounded to milliseconds.
 *
 * @param text the number of days since the end of 1899
 * @returns undefined if the text is not a day, or is before 1 March 1900
 */
export function readSerial(text: string): ExcelDay | undefined {
  const [, whole = '', fraction = ''] = SERIAL.exec(text.trim()) ?? [];
  const serial = Number(whole);
  if (whole === '' || serial < SERIAL_MIN || serial > SERIAL_MAX) return undefined;
  const parts = 10n ** BigInt(fraction.length);
  const milliseconds = Number((2n * BigInt(fraction || '0') * BigInt(DAY_MS) + parts) / (2n * parts));
  const date = new Date(DAY_ZERO + serial * DAY_MS + milliseconds).toISOString();
  if (date.length !== 24) return undefined;
  return { day: date.slice(0, 10), time: date.slice(11, 23).replace(/\.000$/, '') };
}

const MIDNIGHT = '00:00:00';

/**
 * The day and time of a cell with a date format.
 *
 * @param text the number without an exponent
 */
export function daysToText(
  text: string,
  { hasDay, hasTime }: { readonly hasDay: boolean; readonly hasTime: boolean },
  isFrom1904: boolean,
): string {
  const [whole = '', fraction] = text.split('.');
  const rest = fraction === undefined ? '' : `.${fraction}`;
  // The cell has a time without a day.
  if (!hasDay && whole === '0') return readSerial(`${SERIAL_MIN}${rest}`)?.time ?? text;
  const serial = isFrom1904 && /^\d+$/.test(whole) ? `${Number(whole) + DAYS_TO_1904}${rest}` : text;
  const read = readSerial(serial);
  if (!read) return `#DAY! ${text}`;
  return hasTime || read.time !== MIDNIGHT ? `${read.day}T${read.time}` : read.day;
}
