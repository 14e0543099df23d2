import type { Fields, RowError, RowFacts } from '../fields/fields.js';
import { errorOf, textOfJson, valueOfJson, type Problem, type ValueForm } from '../values/field-value.js';
import { ItemFields } from '../fields/item-fields.js';
import { columnsOf, fieldsOfColumns, type ColumnsSource } from '../mapping/field-sources.js';
import { afterSpace, DEPTH_MAX, isString, Members, scanObject, stringAt } from '../text/json-scanner.js';
import type { FileMapping } from '../mapping/mapping.js';
import { LineFinder } from '../records/records.js';
import {
  accountOf,
  BuiltRow,
  CutRow,
  keepText,
  missingAccount,
  rowOfFields,
  unreadableRow,
  type FoundRecord,
  type ReadPart,
  type RowReader,
} from './row-reader.js';
import type { ReadRow } from './row.js';
import { Rules } from './rules.js';

/** Reads NDJSON. An item is cut out of its line or, with a mapping, built from its members. */
export class JsonRows implements RowReader {
  readonly finder = new LineFinder();
  readonly rules: Rules;
  private readonly members = new Members();
  private readonly facts: RowFacts;
  private readonly accountName: Buffer;
  private readonly refusedName: Buffer;
  private readonly keyNames: readonly Buffer[];
  private readonly fieldsOf: ReturnType<typeof fieldsOfColumns>;
  /** Fields that come from several members, with the names of those members. */
  private readonly several: readonly (readonly [field: string, source: ColumnsSource])[];
  private readonly together: ReadonlySet<string>;
  /** The last account that was read. */
  private last = { account: '', json: Buffer.alloc(0) };

  constructor(
    private readonly owner: Fields,
    private readonly mapping: FileMapping,
  ) {
    const { row } = owner;
    this.facts = row;
    this.accountName = Buffer.from(row.account);
    this.refusedName = Buffer.from(row.refused?.field ?? '');
    this.keyNames = row.key.map((name) => Buffer.from(name));
    this.rules = new Rules(owner, mapping);
    this.fieldsOf = fieldsOfColumns(mapping);
    this.several = [...mapping.sources].flatMap(([field, source]) =>
      'column' in source ? [] : [[field, source] as const],
    );
    this.together = new Set(this.several.flatMap(([, source]) => columnsOf(source)));
  }

  count({ bytes, from, to }: FoundRecord): void {
    const { members, rules } = this;
    if (!rules.isOpen || scanObject(bytes, from, to, members) !== -1) return;
    for (let member = 0; member < members.count; member += 1) {
      const json = bytes.toString('utf8', members.valueFrom(member), members.valueTo(member));
      rules.see(members.name(bytes, member), textOfJson(json));
    }
  }

  account(record: FoundRecord): string | undefined {
    if (!this.mapping.isEmpty) return this.row(record).account;
    const { bytes, from, to } = record;
    if (scanObject(bytes, from, to, this.members) !== -1) return undefined;
    const account = this.sentAccount(bytes);
    return typeof account === 'string' ? account : undefined;
  }

  row(record: FoundRecord): ReadRow {
    const { bytes, from, to } = record;
    const stopsAt = scanObject(bytes, from, to, this.members);
    if (stopsAt !== -1) return unreadableRow(record, notJson(record, stopsAt));
    if (this.mapping.isEmpty) return this.cut(record);
    const { fields, error } = this.mapped(record, false);
    return rowOfFields(this.facts, fields, error, record);
  }

  part(record: FoundRecord): ReadPart {
    const { bytes, from, to } = record;
    const stopsAt = scanObject(bytes, from, to, this.members);
    if (stopsAt !== -1) return { fields: undefined, error: notJson(record, stopsAt), key: [] };
    const { fields, error, texts } = this.mapped(record, true);
    return {
      fields,
      error,
      key: (this.mapping.join?.key ?? []).map((name) => texts.get(name)?.trim() ?? ''),
    };
  }

  private cut(record: FoundRecord): ReadRow {
    const { accountName, facts, members, refusedName } = this;
    const { bytes, from, to } = record;
    const account = this.sentAccount(bytes);
    if (typeof account !== 'string') return unreadableRow(record, account);
    if (facts.refused && members.find(bytes, refusedName) !== -1)
      return unreadableRow(record, facts.refused.error, account);
    const key = this.key(bytes);
    const member = members.find(bytes, accountName);
    if (members.find(bytes, accountName, member) !== -1) {
      return new BuiltRow(record, account, key, this.withoutAccounts(bytes));
    }
    const isLast = member + 1 === members.count;
    const cutFrom = isLast && member > 0 ? members.valueTo(member - 1) : members.nameFrom(member);
    const cutTo = isLast ? members.valueTo(member) : members.nameFrom(member + 1);
    return new CutRow(record, account, key, afterSpace(bytes, from, to), cutFrom, cutTo);
  }

  /** The item of a row that contains its account more than once. */
  private withoutAccounts(bytes: Buffer): string {
    const { members } = this;
    const kept: string[] = [];
    for (let member = 0; member < members.count; member += 1) {
      if (members.name(bytes, member) === this.facts.account) continue;
      kept.push(bytes.toString('utf8', members.nameFrom(member), members.valueTo(member)));
    }
    return `{${kept.join(',')}}`;
  }

  private sentAccount(bytes: Buffer): string | RowError {
    const { facts, members, last } = this;
    const member = members.find(bytes, this.accountName);
    if (member === -1) return missingAccount(facts);
    const from = members.valueFrom(member);
    const to = members.valueTo(member);
    // The rows of an account are often together.
    if (to - from === last.json.length && last.json.compare(bytes, from, to) === 0) return last.account;
    const account = accountOf(facts, this.value(bytes, member));
    if (typeof account === 'string') this.last = { account, json: Buffer.from(bytes.subarray(from, to)) };
    return account;
  }

  private key(bytes: Buffer): string | undefined {
    const { facts, keyNames, members } = this;
    return facts.keyOf(keyNames.map((name) => this.value(bytes, members.find(bytes, name))));
  }

  private value(bytes: Buffer, member: number): unknown {
    if (member === -1) return undefined;
    const from = this.members.valueFrom(member);
    const to = this.members.valueTo(member);
    if (isString(bytes, from)) return stringAt(bytes, from, to);
    return JSON.parse(bytes.toString('utf8', from, to)) as unknown;
  }

  /** Read the fields of the found members. @returns also the texts of members that are read together */
  private mapped(
    { bytes }: FoundRecord,
    keepsText: boolean,
  ): { fields: ItemFields; error: RowError | undefined; texts: ReadonlyMap<string, string> } {
    const { owner, members, mapping, together } = this;
    const [fields, rest] = [new ItemFields(), new ItemFields()];
    const texts = new Map<string, string>();
    let error: RowError | undefined;
    const fail = (
      field: string,
      names: readonly string[],
      problem: Problem,
      seen: readonly string[],
    ): void => {
      error ??= errorOf(field, whereIs(names), problem, seen);
      if (keepsText) keepText(fields, field, seen, this.facts);
    };
    for (let member = 0; member < members.count; member += 1) {
      const name = members.name(bytes, member);
      const json = bytes.toString('utf8', members.valueFrom(member), members.valueTo(member));
      const isNothing = this.isNothing(json);
      if (together.has(name)) texts.set(name, isNothing || json === 'null' ? '' : textOfJson(json));
      for (const { field, form } of this.fieldsOfMember(name)) {
        const type = owner.types.get(field);
        if (isNothing && form?.values?.has(textOfJson(json)) !== true) continue;
        const value = type === undefined ? json : valueOfJson(type, json, form, this.fieldsOf.has(name));
        if (typeof value === 'object') fail(field, [name], value, [textOfJson(json)]);
        else (this.isOfRest(field) ? rest : fields).set(field, value);
      }
      const isFromElsewhere = mapping.sources.has(name) && !this.fieldsOf.has(name) && !together.has(name);
      if (isFromElsewhere) error ??= readFromElsewhere(name);
    }
    if (owner.rest && !rest.isEmpty) {
      if (fields.has(owner.rest.field)) error ??= notAlone(owner.rest.field);
      else fields.set(owner.rest.field, rest.without());
    }
    for (const [field, { columns, read }] of this.several) {
      const cells = columns.map((name) => texts.get(name) ?? '');
      const value = read(cells);
      if (typeof value === 'object') fail(field, columns, value, cells);
      else fields.set(field, value);
    }
    for (const [field, json] of mapping.constants) if (!fields.has(field)) fields.set(field, json);
    return { fields, error, texts };
  }

  private isOfRest(name: string): boolean {
    const { rest, types } = this.owner;
    return rest !== undefined && !types.has(name) && rest.problemOf(name) === undefined;
  }

  /** Whether the mapping says that a text means nothing. */
  private isNothing(json: string): boolean {
    const { nulls } = this.mapping.form;
    return nulls !== undefined && /^["n]/.test(json) && nulls.has(textOfJson(json).trim());
  }

  /** A member that is not a field stays as it is: the service rejects the row and names the member. */
  private fieldsOfMember(
    name: string,
  ): readonly { readonly field: string; readonly form: ValueForm | undefined }[] {
    const mapped = this.fieldsOf.get(name);
    if (mapped) return mapped;
    const { mapping, owner } = this;
    const isField = owner.types.has(name);
    const isUsed =
      mapping.ignore.has(name) || mapping.sources.has(name) || (this.together.has(name) && !isField);
    return isUsed ? [] : [{ field: name, form: mapping.formOf(name) }];
  }
}

function whereIs(names: readonly string[]): string {
  return names.length === 1 ? `The member ${names.join()}` : `The members ${names.join(' and ')}`;
}

function readFromElsewhere(field: string): RowError {
  const detail = 'The mapping file takes this field from another member; list this one in "ignore".';
  return { code: 'unexpected_field', attr: field, detail };
}

function notAlone(field: string): RowError {
  const detail = 'The row also has members that belong into it; map these or list them in "ignore".';
  return { code: 'unexpected_field', attr: field, detail };
}

function notJson({ from }: FoundRecord, stopsAt: number): RowError {
  const why = `at its byte ${stopsAt - from + 1} it ends too early, has something unexpected, or nests more than ${DEPTH_MAX} levels`;
  return { code: 'parse_error', attr: '', detail: `The row is no JSON object: ${why}.` };
}
