/** Separator between JSON texts, which never contain this control character. */
const SEPARATOR = '\x1f';

/**
 * JSON texts as one query parameter, which the query reads with {@link jsonList}. An array of JSON texts would take three times
 * as long, because their quotation marks have to be escaped.
 *
 * @param texts undefined becomes NULL
 */
export function joinJson(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text ?? '').join(SEPARATOR);
}

/** SQL for the list of texts in a parameter, for example `:accounts`. A list that consists of a single NULL becomes empty. */
export function jsonList(parameter: string): string {
  return `string_to_array(${parameter}::text, E'\\x1f', '')`;
}
