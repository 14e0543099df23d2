/**
 * SQL: whether the reader of a query may see all of an import request or a refusal. The parameter is null for an operator.
 * Otherwise it has the API keys of the reader's organisation, because on several nodes the keys are on none of the
 * suppliers' nodes.
 *
 * @param row alias of the request or the refusal
 * Source: choice A8.
 */
export function isOwn(row: string): string {
  return `(:own_api_key_ids::uuid[] IS NULL OR ${row}.api_key_id = ANY (:own_api_key_ids::uuid[]))`;
}
