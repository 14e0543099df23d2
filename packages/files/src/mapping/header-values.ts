import type { Fields } from '../fields/fields.js';
import { DateForms } from '../values/date-forms.js';
import { IN_THE_FORM_OF_THE_SERVICE, valueOfText, type ValueForm } from '../values/field-value.js';
import { Zone } from '../values/zones.js';
import type { FileMapping } from './mapping.js';

const UTC = new Zone('UTC', 'timezone');
const DAYS_OF_THE_SERVICE = new DateForms(['YYYY-MM-DD'], 'dates');

/**
 * Whether a text is evidently a value of a field: a day, a time, a number, or one of a few words. If a header contains
 * such a cell, it is a row, and its file has no header. Most texts do not show whether they are a value.
 */
export function isValueOf(owner: Fields, field: string, text: string, form: ValueForm = {}): boolean {
  if ((form.values?.get(text) ?? '') !== '') return true;
  const type = owner.types.get(field);
  switch (type) {
    case 'date':
      return typeof (form.dates ?? DAYS_OF_THE_SERVICE).toDay(text) === 'string';
    case 'date-time':
      return (
        typeof (form.dates ?? IN_THE_FORM_OF_THE_SERVICE).toDateTime(text, form.zone ?? UTC, 'earlier') ===
        'string'
      );
    case 'number':
    case 'boolean':
      return typeof valueOfText(type, text, form) === 'string';
    case 'text':
      return owner.choices?.get(field)?.includes(text) === true;
    case 'list':
    case 'paths':
    case undefined:
      return false;
  }
}

/** The first field whose column names are values of the field, with these names. */
export function valueInHeader(
  owner: Fields,
  { sources }: FileMapping,
): { readonly field: string; readonly columns: readonly string[] } | undefined {
  for (const [field, source] of sources) {
    if ('column' in source) {
      if (isValueOf(owner, field, source.column, source.form)) return { field, columns: [source.column] };
    } else if (source.isWritten && owner.types.get(field) !== 'text') {
      if (typeof source.read(source.columns) === 'string') return { field, columns: source.columns };
    }
  }
  return undefined;
}
