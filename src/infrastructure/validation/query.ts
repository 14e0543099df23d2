/**
 * Read a query parameter as a boolean: `true` and `false` in any letter case, `1` and `0`. Any other value is returned unchanged,
 * for the field's constraint to reject.
 *
 * Source: choice T11.
 */
export function toBoolean(value: unknown): unknown {
  return typeof value === 'string' ? (BOOLEANS.get(value.toLowerCase()) ?? value) : value;
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Read a query parameter as a whole number. A number beyond every limit becomes the largest double. Any other value is returned
 * unchanged, for the field's constraint to reject.
 */
export function toInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value)));
}

/**
 * The query parameters that are not percent-encoded UTF-8. The framework passes on undecoded what it cannot decode, a value that
 * the client did not mean.
 *
 * @param url path and query as sent
 * @returns their names
 */
export function undecodableParameters(url: string): string[] {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((parameter) => decode(parameter) === undefined)
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1);
      return decode(name) ?? name;
    });
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
