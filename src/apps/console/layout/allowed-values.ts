import type { CatalogueField } from '../../../import-suppliers/catalogues/catalogue-value.entity.js';
import type { CatalogueValues } from '../../../infrastructure/validation/rules/runtime-limits.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { TRANSACTION_TYPES, UNIT_TYPES } from '../../../transactions/transactions.dto.js';

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * The catalogue of a field, which operators extend; undefined if its list is closed.
 *
 * @param field path of the field at fault, with or without indexes
 */
export function catalogueOf(kind: ImportKind | null, field: string): CatalogueField | undefined {
  const name = lastOf(field);
  if (name === 'type') return kind === 'payment_instruction' ? 'instruction_type' : undefined;
  return name === 'unit_type' ? undefined : (name as CatalogueField);
}

/** The values that a field may have. */
export function allowedValues(
  kind: ImportKind | null,
  field: string,
  catalogues: CatalogueValues,
): Iterable<string> {
  const catalogue = catalogueOf(kind, field);
  if (catalogue !== undefined) return catalogues.get(catalogue) ?? [];
  return lastOf(field) === 'type' ? TRANSACTION_TYPES : UNIT_TYPES;
}
