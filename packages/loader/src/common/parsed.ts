/** @returns the value of a JSON text; undefined if it is damaged, for example because the machine lost power */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
