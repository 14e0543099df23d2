import fc from 'fast-check';
import { WrongUsage } from '../common/errors.js';
import { DateForms } from './date-forms.js';
import { Zone } from './zones.js';

const LONDON = new Zone('Europe/London', 'timezone');

function problemOf(reading: unknown): string {
  return (reading as { problem: string }).problem;
}

describe('a time of a file', () => {
  const local = new DateForms(['DD/MM/YYYY HH:mm'], 'forms');

  it('without an offset is refused where no time zone is named (L16)', () => {
    expect(problemOf(local.toDateTime('03/04/2026 09:05'))).toContain('without an offset');
    expect(problemOf(new DateForms(['DD/MM/YYYY'], 'forms').toDateTime('03/04/2026'))).toContain('timezone');
  });

  it.each([
    ['03/04/2026 09:05', '2026-04-03T08:05:00Z'],
    ['03/01/2026 09:05', '2026-01-03T09:05:00Z'],
    ['01/06/2026 00:30', '2026-05-31T23:30:00Z'],
  ])('%s of London is %s in summer and in winter (L16)', (text, dateTime) => {
    expect(local.toDateTime(text, LONDON)).toBe(dateTime);
  });

  it('that exists twice is refused, unless it is said which one is meant (L16)', () => {
    const text = '25/10/2026 01:30';
    expect(problemOf(local.toDateTime(text, LONDON))).toContain('twice');
    expect(local.toDateTime(text, LONDON, 'earlier')).toBe('2026-10-25T00:30:00Z');
    expect(local.toDateTime(text, LONDON, 'later')).toBe('2026-10-25T01:30:00Z');
  });

  it('that does not exist is refused always (L16)', () => {
    for (const ambiguous of [undefined, 'earlier', 'later'] as const)
      expect(problemOf(local.toDateTime('29/03/2026 01:30', LONDON, ambiguous))).toContain('does not exist');
    const midnight = new DateForms(['DD/MM/YYYY'], 'forms');
    const zone = new Zone('America/Sao_Paulo', 'timezone');
    expect(problemOf(midnight.toDateTime('15/10/2017', zone, 'later'))).toContain('does not exist');
  });

  it('with an offset needs no time zone and keeps its offset and its fraction (L16)', () => {
    const forms = new DateForms(['YYYY-MM-DDTHH:mm:ssZ', 'YYYY-MM-DD HH:mm:ss.SSS'], 'forms');
    expect(forms.toDateTime('2026-10-25T01:30:00+0200')).toBe('2026-10-25T01:30:00+02:00');
    expect(forms.toDateTime('2026-07-01 01:30:00.1234567', LONDON)).toBe('2026-07-01T00:30:00.1234567Z');
  });
});

describe('a day of a file', () => {
  it('is in one of several forms, and refused where two of them give two days (L11)', () => {
    const forms = new DateForms(['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYYMMDD', 'excel'], 'dates');
    expect(forms.toDay('13/04/2026')).toBe('2026-04-13');
    expect(forms.toDay('04/13/2026')).toBe('2026-04-13');
    expect(forms.toDay('04/04/2026')).toBe('2026-04-04');
    expect(problemOf(forms.toDay('03/04/2026'))).toContain('could be two days');
    expect(forms.toDay('20260403')).toBe('2026-04-03');
    expect(forms.toDay('46115')).toBe('2026-04-03');
    expect(problemOf(forms.toDay('2026-04-03'))).toContain('DD/MM/YYYY or MM/DD/YYYY or YYYYMMDD or excel');
  });

  it.each([
    ['61', '1900-03-01'],
    ['45292', '2024-01-01'],
    ['45351.75', '2024-02-29'],
    ['2958465', '9999-12-31'],
  ])('is the serial %s of Excel: %s (L11)', (text, day) => {
    expect(new DateForms(['excel'], 'dates').toDay(text)).toBe(day);
  });

  it.each(['60', '0', '-1', '2958466', '45,292', '4.5E+4', '45292.'])(
    'is not the serial %s of Excel (L11)',
    (text) => {
      expect(problemOf(new DateForms(['excel'], 'dates').toDay(text))).toContain('is no day');
    },
  );

  it.each([
    ['45292.604166666666667', '2024-01-01T14:30:00Z'],
    ['45292.60416', '2024-01-01T14:29:59.424Z'],
    ['45292.999999999', '2024-01-02T00:00:00Z'],
    ['45292', '2024-01-01T00:00:00Z'],
  ])('and the time of the serial %s of Excel is %s (L11)', (text, dateTime) => {
    expect(new DateForms(['excel'], 'forms').toDateTime(text, new Zone('UTC', 'timezone'))).toBe(dateTime);
  });

  it.each([
    ['en', '03-APR-2026', '2026-04-03'],
    ['en-GB', '03-Sept-2026', '2026-09-03'],
    ['de', '03-Mrz-2026', '2026-03-03'],
    ['de', '03-MÄRZ-2026', '2026-03-03'],
    ['de', '03-Dez.-2026', '2026-12-03'],
    ['fr', '03-févr.-2026', '2026-02-03'],
    ['fr', '03-août-2026', '2026-08-03'],
    ['nl', '03-mrt-2026', '2026-03-03'],
    ['pl', '03-października-2026', '2026-10-03'],
    ['tr', '03-KASIM-2026', '2026-11-03'],
  ])('has the month in the language %s: %s (L11)', (language, text, day) => {
    expect(new DateForms(['DD-MMM-YYYY'], 'dates', { language }).toDay(text)).toBe(day);
  });

  it.each([
    ['fr', '03-jui-2026'],
    ['en', '03-Ju-2026'],
    ['en', '03-Mai-2026'],
    ['en', '31-Feb-2026'],
    ['cs', '03-čer-2026'],
  ])('in the language %s is not %s: no month, or more than one (L11)', (language, text) => {
    expect(problemOf(new DateForms(['DD-MMM-YYYY'], 'dates', { language }).toDay(text))).toContain(
      'is no day',
    );
  });

  it('has a year of two digits within the hundred years that are named (L11)', () => {
    const forms = new DateForms(['DD-MMM-YY'], 'dates', { language: 'en', firstYear: 1970 });
    expect(forms.toDay('01-JAN-70')).toBe('1970-01-01');
    expect(forms.toDay('01-JAN-69')).toBe('2069-01-01');
    expect(forms.toDay('29-FEB-24')).toBe('2024-02-29');
  });

  it('that is written in any form comes back, or is refused (L11)', () => {
    const days = fc.integer({ min: 61, max: 2_958_465 });
    const patterns = ['DD/MM/YYYY', 'MM/DD/YYYY', 'D.M.YYYY', 'YYYYMMDD', 'DDMMYYYY', 'D MMM YYYY', 'excel'];
    const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'cs', 'tr', 'el', 'ru', 'sv'];
    fc.assert(
      fc.property(
        days,
        fc.subarray(patterns, { minLength: 1 }),
        fc.nat(),
        fc.constantFrom(...languages),
        (serial, forms, choice, language) => {
          const date = new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000);
          const day = date.toISOString().slice(0, 10);
          const [year = '', month = '', number = ''] = day.split('-');
          const form = forms[choice % forms.length]!;
          const name = new Intl.DateTimeFormat(language, {
            timeZone: 'UTC',
            day: 'numeric',
            month: choice % 2 === 0 || language === 'cs' ? 'long' : 'short',
          })
            .formatToParts(date)
            .find(({ type }) => type === 'month')!.value;
          const text =
            form === 'excel'
              ? String(serial)
              : form
                  .replace('YYYY', year)
                  .replace('MMM', '#')
                  .replace(/MM?/, (token) => (token === 'M' ? String(Number(month)) : month))
                  .replace(/DD?/, (token) => (token === 'D' ? String(Number(number)) : number))
                  .replace('#', name);
          const read = new DateForms(forms, 'dates', { language }).toDay(text);
          if (forms.length === 1) expect(read).toBe(day);
          if (typeof read === 'string') expect(read).toBe(day);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    [['DD MMM YYYY'], {}, 'say with "language" in which it is'],
    [['DD MMM YYYY'], { language: 'zz' }, '"zz" is no language'],
    [['DD MMM YYYY'], { language: 'ja' }, 'has no names of months'],
    [['DD MMM YYYY'], { language: 'no such' }, 'is no language'],
    [['DD/MM/YY'], {}, 'say with "first_year"'],
    [[], {}, 'dates must name a form'],
  ])('in the form %j is wrong usage (L11)', (forms, options, message) => {
    expect(() => new DateForms(forms, 'dates', options)).toThrow(WrongUsage);
    expect(() => new DateForms(forms, 'dates', options)).toThrow(message);
  });
});
