import { canonicalDateTime, DatePattern } from './dates.js';

describe('a date-time in one form', () => {
  it.each([
    ['2026-11-02T09:30:00Z', '2026-11-02T09:30:00Z'],
    ['2026-11-02T09:30:00.999999999Z', '2026-11-02T09:30:00Z'],
    ['2026-11-02T00:30:00+01:00', '2026-11-01T23:30:00Z'],
    ['2024-02-29T00:00:00-00:30', '2024-02-29T00:30:00Z'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalDateTime(text)).toBe(canonical);
  });

  it.each([
    '2026-11-02',
    '2026-02-30T00:00:00Z',
    '2026-11-02T24:00:00Z',
    '2026-11-02 09:30:00Z',
    '2026-11-02T09:30:00',
    '0001-01-01T00:00:00+01:00',
    '0000-01-01T00:00:00Z',
  ])('%s is none', (text) => {
    expect(canonicalDateTime(text)).toBeUndefined();
  });
});

describe('the pattern of a date', () => {
  it.each([
    ['DD/MM/YYYY', '03/04/2026', '2026-04-03'],
    ['MM/DD/YYYY', '03/04/2026', '2026-03-04'],
    ['YYYYMMDD', '20260403', '2026-04-03'],
    ['D.M.YYYY', '3.4.2026', '2026-04-03'],
    ['D.M.YYYY', '13.12.2026', '2026-12-13'],
    ['DD/MM/YYYY HH:mm', '03/04/2026 23:59', '2026-04-03'],
    ['(YYYY) [DD] MM*', '(2026) [03] 04*', '2026-04-03'],
  ])('%s reads %s as %s', (pattern, text, day) => {
    expect(new DatePattern(pattern, 'dates').toDay(text)).toBe(day);
  });

  it.each([
    ['DD/MM/YYYY', '3/04/2026'],
    ['DD/MM/YYYY', '30/02/2026'],
    ['DD/MM/YYYY', '13/13/2026'],
    ['DD/MM/YYYY', '2026-04-03'],
    ['DD.MM.YYYY', '03x04x2026'],
    ['DD/MM/YYYY HH:mm', '03/04/2026 24:00'],
    ['DD/MM/YYYY', '03/04/2026 10:00'],
  ])('%s does not read %s', (pattern, text) => {
    expect(new DatePattern(pattern, 'dates').toDay(text)).toBeUndefined();
  });

  it.each([
    ['DD/MM/YYYY', '03/04/2026', '00:00:00', undefined],
    ['DD/MM/YYYY H:mm', '03/04/2026 9:05', '09:05:00', undefined],
    ['DD/MM/YYYY h:mm A', '03/04/2026 12:05 am', '00:05:00', undefined],
    ['DD/MM/YYYY h:mmA', '03/04/2026 12:05PM', '12:05:00', undefined],
    ['DD/MM/YYYY hh:mm:ss A', '03/04/2026 09:05:06 p.m.', '21:05:06', undefined],
    ['YYYY-MM-DD HH:mm:ss.SSS', '2026-04-03 09:05:06.1234567', '09:05:06.1234567', undefined],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-04-03T09:05:06+0130', '09:05:06', '+01:30'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-04-03T09:05:06Z', '09:05:06', 'Z'],
    ['YYYY-MM-DD HH:mm:ssZ', '2026-04-03 09:05:06.745232+02', '09:05:06.745232', '+02:00'],
    ['YYYY-MM-DD HH:mm:ss.SSSZ', '2026-04-03 09:05:06-05', '09:05:06', '-05:00'],
    ['YYYY-MM-DD HH:mm:ss,SSS', '2026-04-03 09:05:06,5', '09:05:06.5', undefined],
    ['YYYYMMDDHHmmssSSS', '20260403090506745', '09:05:06.745', undefined],
    ['HH:mm:ss.DD.MM.YYYY', '09:05:06.03.04.2026', '09:05:06', undefined],
  ])('%s reads the time of %s as %s %s', (pattern, text, time, offset) => {
    expect(new DatePattern(pattern, 'dates').read(text)).toEqual({ day: '2026-04-03', time, offset });
  });

  it.each([
    ['DD/MM/YYYY hh:mm A', '03/04/2026 00:05 am'],
    ['DD/MM/YYYY hh:mm A', '03/04/2026 13:05 pm'],
  ])('%s does not read %s', (pattern, text) => {
    expect(new DatePattern(pattern, 'dates').read(text)).toBeUndefined();
  });

  it.each([
    ['DD/MM/YY', 'has a year of two digits'],
    ['DD MMM YYYY', 'has a name of a month'],
    ['DMYYYY', 'where the part before M ends'],
    ['MM/YYYY', 'no year, month and day'],
    ['DD/MM/YYYY mm', 'without the larger one'],
    ['DD/MM/YYYY Z', 'part of a time without the larger one'],
    ['DD/MM/YYYY hh:mm', 'without the other'],
    ['DD/MM/YYYY HH:mm A', 'without the other'],
    ['DD/MM/YYYY MM', 'has the month twice'],
    ['DDMMMTYYYY', 'where the part before T ends'],
    ['Day/MM/YYYY', 'has the letter a'],
    ['YYYY-MM-DD HH:mm:ss+02', 'as a text that stands for itself; write Z'],
    ['YYYY-MM-DD HH:mm:ss.SSS -0500', 'as a text that stands for itself; write Z'],
    ['YYYY-MM-DD HH:mm:ss.SSSSSS', 'has the fraction twice'],
    ['DD/MM', 'has days without a year'],
  ])('%s is refused: %s', (pattern, why) => {
    expect(() => new DatePattern(pattern, 'dates')).toThrow(why);
  });
});
