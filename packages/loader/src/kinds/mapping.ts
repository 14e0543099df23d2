import * as files from '@data-import/files';
import { FIELDS, type MappedKind } from './fields.js';
import type { Kind } from './kinds.js';

const KNOWN = Object.values(FIELDS);

/** A mapping file for the kinds that are loaded, and for accounts. @throws WrongUsage, as of the package */
export function parseMapping(content: string, file: string): files.Mapping<MappedKind> {
  return files.parseMapping(content, file, KNOWN);
}

/** Read the text of a mapping for one kind again. */
export function parseKind(kind: Kind, content: string, file: string): files.KindMapping {
  return files.parseKind(kind, content, file, KNOWN);
}
