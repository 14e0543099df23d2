import { ACCOUNTS, canonicalDateTime, type RowError } from '@data-import/files';
import { OPERATIONS } from '../kinds/contract.generated.js';
import {
  ACCOUNT,
  fieldType,
  isKind,
  kindOfOwner,
  listsOf,
  operationOf,
  requiredFields,
  type FieldOwner,
} from '../kinds/fields.js';
import { FACTS } from '../kinds/kinds.js';
import { OPEN } from './guess-values.js';

/** The rule for the values of a field; `decimals`, `digits` and `whole` are maximum numbers of digits. */
type Rule = Readonly<
  Partial<Record<'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'decimals' | 'digits' | 'whole', number>>
> & { readonly pattern?: string; readonly enum?: readonly string[] };

/**
 * Check an item against the interface's rules of form, whatever the service's catalogues and periods are.
 *
 * @param item an item of a row without its account, or an item of a list
 * @param open the fields that have to be filled in, which may be missing or have another form
 * @returns the first reason why the service rejects the item
 */
export function formProblem(owner: FieldOwner, item: object, open: readonly string[]): RowError | undefined {
  const content = item as Readonly<Record<string, unknown>>;
  const missing = requiredFields(owner).find(
    (field) => field !== ACCOUNT && content[field] === undefined && !open.includes(field),
  );
  if (missing !== undefined) return { code: 'invalid', attr: missing, detail: 'This field is required.' };
  // Staging checks accounts, not the import requests.
  if (owner === ACCOUNTS.name) return undefined;
  for (const [field, value] of Object.entries(content)) {
    if (open.includes(field)) continue;
    const detail = detailFor(owner, field, value);
    if (detail !== undefined) return { code: 'invalid', attr: field, detail, seen: JSON.stringify(value) };
    if (!isKind(owner) || !listsOf(owner).includes(field) || !Array.isArray(value)) continue;
    for (const [index, one] of value.entries()) {
      const problem = formProblem(`${owner}.${field}`, one as object, []);
      if (problem) return { ...problem, attr: `${field}.${index}.${problem.attr}` };
    }
  }
  return undefined;
}

function detailFor(owner: FieldOwner, field: string, value: unknown): string | undefined {
  const rule = ruleOf(owner, field);
  const text = typeof value === 'string' ? value : '';
  if (value === OPEN && choicesOf(owner, field)) return 'Fill in in "values" what the word means.';
  switch (fieldType(owner, field)) {
    case 'number':
      if (typeof value === 'number') return numberDetail(value, rule);
      return 'Expected a number: set "amount" in the mapping file.';
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : 'Expected true or false: set "values" in the mapping file.';
    case 'date':
      if (canonicalDateTime(`${text}T00:00:00Z`) !== undefined) return undefined;
      return 'Expected a day, YYYY-MM-DD: set "dates" in the mapping file.';
    case 'date-time':
      if (canonicalDateTime(text) !== undefined) return undefined;
      return 'Expected a time such as 2026-11-05T10:00:00Z: set "moment" in the mapping file.';
    case 'text':
      if (typeof value === 'string') return textDetail(value, rule);
      return 'Expected a text: name the member in "fields" of the mapping file.';
    case 'list':
    case 'paths':
      return Array.isArray(value) ? undefined : 'Expected a list.';
    case undefined:
      return 'This is no field.';
  }
}

/** The known values of a field that has only a few. */
export function choicesOf(owner: FieldOwner, field: string): readonly string[] | undefined {
  if (owner === ACCOUNTS.name) return undefined;
  return (isKind(owner) ? operationOf(owner).choices[field] : undefined) ?? ruleOf(owner, field).enum;
}

function ruleOf(owner: FieldOwner, field: string): Rule {
  const { rules } = OPERATIONS[FACTS[kindOfOwner(owner)].operation];
  const path = [...owner.split('.').slice(1), field].join('.');
  return (rules as Readonly<Record<string, Rule>>)[path] ?? {};
}

function textDetail(
  value: string,
  { minLength = 0, maxLength = Infinity, pattern, ...rule }: Rule,
): string | undefined {
  const { length } = Array.from(value);
  if (length < minLength) return 'This field may not be empty.';
  if (length > maxLength) return `At most ${maxLength} characters are allowed.`;
  if (rule.enum && !rule.enum.includes(value)) return `Allowed are ${rule.enum.join(', ')}.`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return `It has not the form of a path in the document root.`;
  return value.includes('\0') || !value.isWellFormed() ? 'It has characters that are no text.' : undefined;
}

function numberDetail(value: number, rule: Rule): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, decimals = Infinity, digits = Infinity } = rule;
  if (value < minimum || value > maximum) return `It must be from ${minimum} to ${maximum}.`;
  const [before = '', after = ''] = String(Math.abs(value)).split('.');
  // A number with an exponent is counted by its significant digits, because its digits are not written out.
  const significant = (before + after).replaceAll(/^0+|0+$/g, '');
  const isWholeFit = before.length <= (rule.whole ?? Infinity) && significant.length <= digits;
  if ((isWholeFit && after.length <= decimals) || after.includes('e')) return undefined;
  return `At most ${decimals} decimal places${digits === Infinity ? '' : ` and ${digits} digits`} are allowed.`;
}
