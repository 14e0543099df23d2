import { parseDateTime } from '../clock/dates.js';
import { InvalidOptionError } from './command-line.js';

/** The arguments of a command about a supplier. */
export const ONE_SUPPLIER = { arguments: '<code>', argsDescription: { code: 'code of the supplier' } };

/** The arguments of a command about an account. */
export const ONE_ACCOUNT = {
  arguments: '<code> <external-number>',
  argsDescription: {
    ...ONE_SUPPLIER.argsDescription,
    'external-number': 'account number in the supplier’s own system',
  },
};

/** The option for the reason of a removal. */
export const REASON = {
  flags: '--reason <text>',
  description: 'reason; recorded permanently, so it must not name the customer',
  required: true,
};

/** The parser of an option that requires text. @throws InvalidOptionError */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidOptionError('It must not be empty.');
  return text;
}

/** The parser of an option that is a whole number of at least 1. @throws InvalidOptionError */
export function wholeNumber(text: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? 'from 1 on' : `from 1 to ${max}`;
  throw new InvalidOptionError(`It must be a whole number ${range}.`);
}

/** The parser of an option that is a date-time. @throws InvalidOptionError */
export function dateTimeOf(text: string): Date {
  const milliseconds = parseDateTime(text);
  if (milliseconds === undefined) {
    throw new InvalidOptionError('Expected a date-time in the form YYYY-MM-DDTHH:MM:SSZ.');
  }
  return new Date(milliseconds);
}
