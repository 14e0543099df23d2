import * as files from '@data-import/files';
import { FIELDS, type MappedKind } from './fields.js';

const KNOWN = Object.values(FIELDS);

/**
 * Parse a mapping file for accounts and for the kinds that are loaded.
 *
 * @throws WrongUsage like the function of the package
 */
export function parseMapping(content: string, file: string): files.Mapping<MappedKind> {
  return files.parseMapping(content, file, KNOWN);
}
