const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** The milliseconds of a duration as operators write it: `90d`, `12h`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,10})([smhdw])$/.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  return unitMs && Number(count) * unitMs;
}

/** A duration as operators write it, in hours if it is whole hours: `24h`, `90m`. */
export function durationText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
