import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';
import { crossFieldRulesOf, type CrossFieldRule } from './cross-field-rule.decorator.js';
import { itemsOf } from './nested-list.decorator.js';
import type { Rule } from './rules/rule.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';
import { isSent, SatisfiesConstraint } from './satisfies.decorator.js';

/** One field of a payload class, as its decorators describe it. */
export interface FieldShape {
  readonly name: string;
  readonly isOptional: boolean;
  /** @returns a value other than undefined if a constraint of the field fails */
  readonly violation: (value: unknown, limits: RuntimeLimits) => unknown;
  /** The shape of the items, if the field is a list of objects. */
  readonly items?: PayloadShape;
  /** See {@link Rule.itemsAllowed}. */
  readonly itemsAllowed?: Rule['itemsAllowed'];
}

/** A payload class, compiled once from the metadata of its decorators for the fast path of validation. */
export interface PayloadShape {
  readonly type: Type<object>;
  /** In the order of the class, inherited fields first. */
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The fields that are lists of objects. */
  readonly lists: readonly { readonly name: string; readonly items: PayloadShape }[];
  readonly required: readonly string[];
  readonly crossFieldRules: readonly CrossFieldRule<Record<string, unknown>>[];
  /** Whether validation needs the catalogues, for its own fields or for those of its items. */
  readonly usesCatalogues: boolean;
}

const compiled = new Map<Type<object>, PayloadShape>();

/** The shape of a payload class. The decorators remain the only description of a field. */
export function shapeOf(type: Type<object>): PayloadShape {
  let shape = compiled.get(type);
  if (!shape) {
    shape = compile(type);
    compiled.set(type, shape);
  }
  return shape;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function compile(type: Type<object>): PayloadShape {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(type, '', false, false);
  // class-validator lists inherited fields last, but in a payload they come first.
  const inPayloadOrder = [
    ...all.filter(({ target }) => target !== type),
    ...all.filter(({ target }) => target === type),
  ];
  const fields = Object.entries(storage.groupByPropertyName(inPayloadOrder)).map(([name, metadata]) =>
    compileField(type, name, metadata),
  );
  const rules = rulesOf(inPayloadOrder);
  return {
    type,
    fields: new Map(fields.map((field) => [field.name, field])),
    lists: fields.flatMap(({ name, items }) => (items ? [{ name, items }] : [])),
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    crossFieldRules: crossFieldRulesOf(type),
    usesCatalogues:
      rules.some(({ catalogue }) => catalogue !== undefined) ||
      fields.some(({ items }) => items?.usesCatalogues === true),
  };
}

function rulesOf(metadata: readonly Metadata[]): Rule[] {
  return metadata.flatMap(({ constraintCls, constraints }) =>
    constraintCls === SatisfiesConstraint ? [constraints[0] as Rule] : [],
  );
}

function compileField(type: Type<object>, name: string, metadata: readonly Metadata[]): FieldShape {
  const ofKind = (kind: string): Metadata[] => metadata.filter((one) => one.type === kind);
  const conditions = ofKind(ValidationTypes.CONDITIONAL_VALIDATION);
  const nested = ofKind(ValidationTypes.NESTED_VALIDATION);
  const constraints = ofKind(ValidationTypes.CUSTOM_VALIDATION);
  const items = itemsOf(type, name);
  const itemsAllowed = rulesOf(constraints).find((rule) => rule.itemsAllowed)?.itemsAllowed;
  // Without this check, the fast path could accept values whose constraint it does not know and class-validator rejects.
  if (
    constraints.some(({ each }) => each) ||
    conditions.some(({ constraints: [condition] }) => condition !== isSent) ||
    conditions.length + nested.length + constraints.length < metadata.length ||
    nested.length !== (items ? 1 : 0)
  ) {
    throw new Error(`The fast path of validation does not know a decorator of ${type.name}.${name}.`);
  }
  return {
    name,
    isOptional: conditions.length > 0,
    violation: firstOf(constraints.map(violationOf)),
    ...(items && { items: shapeOf(items) }),
    ...(itemsAllowed && { itemsAllowed }),
  };
}

function firstOf(violations: FieldShape['violation'][]): FieldShape['violation'] {
  const [only, ...more] = violations;
  if (only && more.length === 0) return only;
  return (value, limits) => violations.map((violation) => violation(value, limits)).find(Boolean);
}

/** A rule is called directly. For class-validator's own constraints, this calls what their decorators registered. */
function violationOf({ constraintCls, constraints, propertyName }: Metadata): FieldShape['violation'] {
  if (constraintCls === SatisfiesConstraint) return (constraints[0] as Rule).violation;
  const instances = getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }): ValidatorConstraintInterface => instance);
  return (value) => {
    const args = { value, constraints, property: propertyName, targetName: '', object: {} };
    return instances.every((instance) => instance.validate(value, args) === true) ? undefined : true;
  };
}
