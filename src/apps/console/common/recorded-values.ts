import { capitalised, formatCount } from './format.js';

/** Values of a record whose members are not known in advance. */
export type Members = Readonly<Record<string, unknown>>;

/** A value as it is; an object by its members, a list by its values. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return formatCount(value);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'string') return value;
  const members = Object.entries(value ?? {});
  if (members.length === 0) return 'none';
  return members.map(([name, one]) => `${name.replaceAll('_', ' ')} ${valueText(one)}`).join(', ');
}

/** The members of a record with their names. Changed values, in members `from` and `to`, have the value before and after. */
export function memberPairs({ from, to, ...others }: Members): (readonly [string, string])[] {
  const before = (from ?? {}) as Members;
  const changed = Object.entries((to ?? {}) as Members).map(
    ([name, value]) => [name, `${valueText(before[name])} → ${valueText(value)}`] as const,
  );
  const values = Object.entries(others).map(([name, value]) => [name, valueText(value)] as const);
  return [...values, ...changed].map(([name, text]) => [capitalised(name.replaceAll('_', ' ')), text]);
}
