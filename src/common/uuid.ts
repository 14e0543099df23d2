const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id that the database gave out; anything else it would refuse to compare. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
