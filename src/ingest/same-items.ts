import { itemColumns, type WithSent } from './item-columns.js';
import { hashedFields, type ItemField, type ItemKind } from './kinds/item-kind.js';

/**
 * The phrase that lists the fields that must agree for two items to be the same, for example: the same `statement_id`.
 *
 * Source: choices N1, X4, H3, P2.
 */
export function sameInWords({ fields, same }: ItemKind): string {
  const wordsOf = (name: string): string => fields[name]?.words ?? `\`${name}\``;
  const compared = same.flatMap((name) => {
    if (fields[name]?.comparedUnlessSent !== undefined || fields[name]?.comparedIfSent) return [];
    const others = same
      .filter((other) => fields[other]?.comparedUnlessSent === name)
      .map((other) => ` (or, without a ${name}, the same ${wordsOf(other)})`);
    return [wordsOf(name) + others.join('')];
  });
  const ifSent = same
    .filter((name) => fields[name]?.comparedIfSent)
    .map((name) => ` and, if ${wordsOf(name)} is sent, the same ${wordsOf(name)}`);
  const list = ifSent.length > 0 ? compared.join(', ') : compared.join(' and ');
  return `the same ${list}${ifSent.join('')}`;
}

/**
 * Make a function that joins the values that the database hashes for an item's key into one text. Different values give different
 * texts. If only the first field has a value, the text is that value, so a long body is not copied.
 */
export function hashedContent<Kind extends ItemKind>(kind: Kind): (item: WithSent<Kind>) => string {
  const columns = itemColumns(kind);
  const valueOf = (item: WithSent<Kind>, name: string): string => String(columns[name]?.read(item) ?? '');
  const fields: Readonly<Record<string, ItemField>> = kind.fields;
  const compared = hashedFields(kind).map((name) => ({ name, without: fields[name]?.comparedUnlessSent }));
  return (item) => {
    let content = '';
    for (const { name, without } of compared) {
      const value = without === undefined || valueOf(item, without) === '' ? valueOf(item, name) : '';
      // No value contains a NUL, so a NUL always starts or ends a field name.
      if (value !== '') content += name === compared[0]?.name ? value : `\0${name}\0${value}`;
    }
    return content;
  };
}
