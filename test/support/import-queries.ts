import { ExpressUse } from '../../src/ingest/express-use.js';

/** For `it.each`: the express query tried first, or the careful query alone. */
export const IMPORT_QUERIES = [{ query: 'express' }, { query: 'careful' }] as const;

/** Make imports of this process try the express query first, or never, until the mocks are restored. */
export function importBy({ query }: (typeof IMPORT_QUERIES)[number]): void {
  import.meta.jest.spyOn(ExpressUse.prototype, 'isWorthwhile').mockReturnValue(query === 'express');
}
