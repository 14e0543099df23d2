import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. PostgreSQL raises an error if a `uuid` column is compared with anything else. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID of version 7: 48 bits of milliseconds since 1970, then random bits. Node.js 20 only creates version 4. */
export function timeOrderedId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
