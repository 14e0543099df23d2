import { isCalendarDay, parseDateTime } from '../../clock/dates.js';
import type { PlainRule } from './rule.js';
import { wrongType } from './violation.js';

/** A calendar day, `YYYY-MM-DD` (choice T12). */
export const calendarDay: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a date as a string');
    return isCalendarDay(value)
      ? undefined
      : { code: 'invalid', detail: 'Expected a real day in the form YYYY-MM-DD.' };
  },
  schema: {
    type: 'string',
    format: 'date',
    description: 'A real day of the years 0001 to 9999, `YYYY-MM-DD`.',
  },
};

/** A date-time, `YYYY-MM-DDTHH:MM:SSZ` (choice T12). */
export const dateTime: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a date-time as a string');
    return parseDateTime(value) === undefined
      ? { code: 'invalid', detail: 'Expected a date-time in the form YYYY-MM-DDTHH:MM:SSZ.' }
      : undefined;
  },
  // No pattern: clients whose language has a date-time type would match it against that type instead of the text.
  schema: {
    type: 'string',
    format: 'date-time',
    description:
      '`YYYY-MM-DDTHH:MM:SSZ`, with seconds from 00 to 59 and a capital `T` and `Z`. A fraction of up to nine digits and, instead of `Z`, an offset such as `+01:00` are accepted too: the date-time is converted to UTC, years 0001 to 9999, and truncated to whole seconds.',
  },
};
