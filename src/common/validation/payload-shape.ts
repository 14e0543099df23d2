import { getMetadataStorage } from 'class-validator';
// class-transformer publishes its decorators' metadata under this path only.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { TypeMetadata } from 'class-transformer';
import { checksOf, FIELD, type ObjectCheck } from './field.decorators.js';
import type { FieldRule } from './rules.js';

export type PayloadClass<T extends object = object> = new () => T;

/** One field of a payload class, as its decorators describe it. */
export interface FieldShape {
  readonly name: string;
  readonly rule: FieldRule;
  readonly required: boolean;
  /** What the items of a list are; absent for a plain value. */
  readonly items?: PayloadShape;
}

/** A payload class compiled once from the metadata of class-validator and class-transformer. */
export interface PayloadShape {
  readonly type: PayloadClass;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The fields that are lists of objects. */
  readonly lists: readonly { readonly name: string; readonly items: PayloadShape }[];
  readonly required: readonly string[];
  readonly checks: readonly ObjectCheck<Record<string, unknown>>[];
}

const compiled = new Map<PayloadClass, PayloadShape>();

/** The shape of a payload class; the decorators stay the one place where a field is described. */
export function shapeOf(type: PayloadClass): PayloadShape {
  let shape = compiled.get(type);
  if (!shape) {
    shape = compile(type);
    compiled.set(type, shape);
  }
  return shape;
}

function itemClass(type: PayloadClass, propertyName: string): PayloadClass | undefined {
  // The published type leaves out that there may be none.
  const metadata = defaultMetadataStorage.findTypeMetadata(type, propertyName) as TypeMetadata | undefined;
  return metadata?.typeFunction() as PayloadClass | undefined;
}

function compile(type: PayloadClass): PayloadShape {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const conditional = new Set(
    metadata
      .filter(({ type: kind }) => kind === 'conditionalValidation')
      .map(({ propertyName }) => propertyName),
  );
  // class-validator names inherited fields last; a payload begins with them.
  const inPayloadOrder = [
    ...metadata.filter(({ target }) => target !== type),
    ...metadata.filter(({ target }) => target === type),
  ];
  const fields = inPayloadOrder
    .filter(({ name }) => name === FIELD)
    .map(({ propertyName, constraints }): FieldShape => {
      const items = itemClass(type, propertyName);
      return {
        name: propertyName,
        rule: (constraints as [FieldRule])[0],
        required: !conditional.has(propertyName),
        ...(items && { items: shapeOf(items) }),
      };
    });
  return {
    type,
    fields: new Map(fields.map((field) => [field.name, field])),
    lists: fields.flatMap(({ name, items }) => (items ? [{ name, items }] : [])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    checks: checksOf(type),
  };
}
