import { ApiBody, ApiParam, ApiProperty, ApiQuery } from '@nestjs/swagger';
import { echoes, type Echo } from './echo.decorator.js';
import { inputUses, type InputUse } from './input.decorator.js';
import { shapeOf, type FieldShape, type PayloadClass, type PayloadShape } from './payload-shape.js';
import type { FieldRule } from './rules.js';

/** The values that each catalogue begins with. */
export type Catalogues = Readonly<Record<string, readonly string[]>>;

/** What Swagger has been told already; it would name a parameter twice that it is told of twice. */
const PUBLISHED = new Set<InputUse | PayloadShape | Echo>();

/**
 * Tell Swagger what every handler takes, from the same classes that validate it, and what answers repeat of it. Only the
 * description of the interface needs this, so the service is not held up by it.
 */
export function publishInputs(catalogues: Catalogues): void {
  for (const use of inputUses()) {
    if (isPublished(use)) continue;
    const { classes, target, method } = use;
    if (classes.body) publishFields(shapeOf(classes.body), catalogues);
    const descriptor = Object.getOwnPropertyDescriptor(target, method);
    if (!descriptor) continue;
    for (const decorate of decoratorsOf(classes)) decorate(target, method, descriptor);
  }
  for (const echo of echoes()) {
    if (!isPublished(echo)) publishEcho(echo);
  }
}

function decoratorsOf({ params, query, body }: InputUse['classes']): MethodDecorator[] {
  return [
    ...(body ? [ApiBody({ type: body })] : []),
    ...fieldsOf(params).map((field) => ApiParam(parameterOf(field))),
    ...fieldsOf(query).map((field) => {
      const { schema, ...parameter } = parameterOf(field);
      return ApiQuery({
        ...parameter,
        required: field.required,
        schema: { ...schema, ...defaultOf(query, field.name) },
      });
    }),
  ];
}

/** The description stands at the parameter itself: generators do not look for it in its schema. */
function parameterOf({ name, rule }: FieldShape): {
  name: string;
  description?: string;
  schema: Record<string, unknown>;
} {
  const { description, ...schema } = rule.schema;
  return { name, ...(description !== undefined && { description }), schema };
}

/** What a query that leaves the parameter out says, as the class itself has it. */
function defaultOf(type: InputUse['classes']['query'], name: string): { default?: unknown } {
  const value = type && (new type() as Record<string, unknown>)[name];
  return value === undefined ? {} : { default: value };
}

function fieldsOf(type: InputUse['classes']['body']): FieldShape[] {
  return type ? [...shapeOf(type).fields.values()] : [];
}

function publishFields(shape: PayloadShape, catalogues: Catalogues): void {
  if (isPublished(shape)) return;
  for (const field of shape.fields.values()) {
    publishField(shape.type, { ...field, rule: withValues(field.rule, catalogues) });
    if (field.items) publishFields(field.items, catalogues);
  }
}

function publishField(type: PayloadClass, { name, rule, required, items }: FieldShape): void {
  const list = items && { type: () => items.type, isArray: true };
  const named = rule.name !== undefined && { enumName: rule.name };
  ApiProperty({ ...rule.schema, required, ...list, ...named })(type.prototype as object, name);
}

/** The rule of a catalogue's field, which cannot say itself what the catalogue begins with. */
function withValues(rule: FieldRule, catalogues: Catalogues): FieldRule {
  if (rule.catalogue === undefined) return rule;
  const { description = '', ...schema } = rule.schema;
  const begin = (catalogues[rule.catalogue] ?? []).map((value) => `\`${value}\``).join(', ');
  const values = `Allowed are ${begin}, and what the operator has added to these.`;
  return { ...rule, schema: { ...schema, description: `${description} ${values}`.trimStart() } };
}

function publishEcho({ type, input, changes }: Echo): void {
  const sent = shapeOf(input).fields;
  for (const field of sent.values()) {
    const schema = changes[field.name];
    publishField(type, schema ? { ...field, rule: { ...field.rule, schema } } : field);
  }
  for (const [name, schema] of Object.entries(changes)) {
    if (!sent.has(name)) ApiProperty({ ...schema, required: true })(type.prototype as object, name);
  }
}

/** Asked once of each: from then on it is. */
function isPublished(described: InputUse | PayloadShape | Echo): boolean {
  const isKnown = PUBLISHED.has(described);
  PUBLISHED.add(described);
  return isKnown;
}
