const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID; PostgreSQL raises an error when a `uuid` column is compared with anything else. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
