import 'reflect-metadata';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from './openapi.js';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { NestedList } from './nested-list.decorator.js';
import { toBoolean, toInteger } from './query.js';
import type { Rule, Schema } from './rules/rule.js';
import { catalogueValue, oneOf } from './rules/choices.js';
import { calendarDay, dateTime } from './rules/dates.js';
import { documentPath } from './rules/document-path.js';
import { list, type ListLimits } from './rules/lists.js';
import { amount, decimal, decimals } from './rules/numbers.js';
import { identifier, reference, text } from './rules/text.js';
import { Optional, Satisfies } from './satisfies.decorator.js';

export interface FieldOptions {
  /** The field may be omitted; `null` is rejected all the same (choice T9). */
  readonly optional?: boolean;
  /** The meaning of the field, for the API reference. */
  readonly description?: string;
}

/** Text of 1 to `max` code points; may be empty if blank is allowed (choice T14). */
export const TextField = ({
  max,
  blankAllowed,
  ...options
}: FieldOptions & { max: number; blankAllowed?: boolean }): PropertyDecorator =>
  ruleField(text({ max, ...(blankAllowed !== undefined && { blankAllowed }) }), options);

/** 1 to 128 characters that identify something (choice T14). */
export const IdentifierField = (options: FieldOptions = {}): PropertyDecorator =>
  ruleField(identifier, options);

/** A payment reference of 1 to 512 characters (choice T14). */
export const ReferenceField = (options: FieldOptions = {}): PropertyDecorator =>
  ruleField(reference, options);

/** A calendar day, `YYYY-MM-DD` (choice T12). */
export const DateField = (options: FieldOptions = {}): PropertyDecorator => ruleField(calendarDay, options);

/** A date-time, `YYYY-MM-DDTHH:MM:SSZ` (choice T12). */
export const DateTimeField = (options: FieldOptions = {}): PropertyDecorator => ruleField(dateTime, options);

/** An amount of money (choice X2). */
export const AmountField = (options: FieldOptions = {}): PropertyDecorator => ruleField(amount, options);

/** A number that is stored exactly (choices X2, T13). */
export const DecimalField = (options: FieldOptions = {}): PropertyDecorator => ruleField(decimal, options);

/** A list of up to `max` numbers. */
export const DecimalListField = ({ max, ...options }: FieldOptions & { max: number }): PropertyDecorator =>
  ruleField(decimals({ max }), options);

/** The path of a document, relative to the supplier's document root (choice F2). */
export const DocumentPathField = (options: FieldOptions = {}): PropertyDecorator =>
  ruleField(documentPath, options);

/** One of a fixed set of values. `name` publishes the set as a separate schema. */
export const OneOfField = (
  values: readonly string[],
  { name, ...options }: FieldOptions & { name?: string } = {},
): PropertyDecorator => {
  const rule = oneOf(values);
  return applyDecorators(
    Satisfies(rule),
    publish(rule.schema, options, name === undefined ? {} : { enumName: name }),
  );
};

/** A value from a catalogue that operators extend (choice X3). */
export const CatalogueField = (catalogue: string, options: FieldOptions = {}): PropertyDecorator =>
  ruleField(catalogueValue(catalogue), options);

/**
 * A list of objects of a class. It has at least `min` items, by default 1 if it is required; and at most `max` items, by default
 * the configured number.
 */
export const ListField = (
  items: () => Type<object>,
  { min, max, ...options }: FieldOptions & ListLimits = {},
): PropertyDecorator => {
  const rule = list({ min: min ?? (options.optional === true ? 0 : 1), ...(max !== undefined && { max }) });
  return applyDecorators(
    Satisfies(rule),
    NestedList(items),
    publish(rule.schema, options, { type: () => items(), isArray: true }),
  );
};

export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(IsBoolean({ message: 'Expected true or false.' }), publish({ type: 'boolean' }, options));

/** A query parameter that is `true` or `false`, read by {@link toBoolean} (choice T11). */
export const QueryBooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => toBoolean(value)),
    BooleanField(options),
  );

export const QueryIntegerField = ({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => toInteger(value)),
    IsInt({ message: 'Expected a whole number.' }),
    Min(min, { message: 'At least $constraint1 is required.' }),
    Max(max, { message: 'At most $constraint1 is allowed.' }),
    publish({ type: 'integer', minimum: min, maximum: max }, options),
  );

/** A field with its own rule. */
export function ruleField(rule: Rule, options: FieldOptions): PropertyDecorator {
  return applyDecorators(Satisfies(rule), publish(rule.schema, options));
}

const SCHEMA = Symbol('schema');

/** Publish a field: its schema, and its meaning before the schema's description. */
function publish(
  { description: schemaDescription, ...schema }: Schema,
  { optional = false, description: meaning }: FieldOptions,
  more: Readonly<Record<string, unknown>> = {},
): PropertyDecorator {
  const description = [meaning, schemaDescription].filter((part) => part !== undefined).join(' ');
  const whole: Schema = { ...schema, ...(description !== '' && { description }) };
  return applyDecorators(
    ...(optional ? [Optional()] : []),
    (target: object, name: string | symbol) => {
      Reflect.defineMetadata(SCHEMA, whole, target, name);
    },
    ApiProperty({ ...whole, required: !optional, ...more }),
  );
}

/** The published schema of a field of a payload class. */
export function schemaOf(type: Type<object>, name: string): Schema {
  return (Reflect.getMetadata(SCHEMA, type.prototype as object, name) ?? {}) as Schema;
}
