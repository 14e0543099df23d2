const LENGTH_MAX = 128;

/** The sentence for a name that {@link isName} refuses. */
export const NAME_RULE = `A name has 1 to ${LENGTH_MAX} characters.`;

/** Whether an operator may give this name to an organisation, or this label to an API key. */
export function isName(text: string): boolean {
  return text.trim() !== '' && Array.from(text).length <= LENGTH_MAX;
}
