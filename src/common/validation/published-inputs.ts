import { ApiBody, ApiParam, ApiProperty, ApiQuery } from '@nestjs/swagger';
import { inputUses, type InputUse } from './input.decorator.js';
import { shapeOf, type FieldShape, type PayloadShape } from './payload-shape.js';

/** What Swagger has been told already; it would name a parameter twice that it is told of twice. */
const PUBLISHED = new Set<InputUse | PayloadShape>();

/**
 * Tell Swagger what every handler takes, from the same classes that validate it. Only the description of the interface
 * needs this, so the service is not held up by it.
 */
export function publishInputs(): void {
  for (const use of inputUses()) {
    if (isPublished(use)) continue;
    const { classes, target, method } = use;
    if (classes.body) publishFields(shapeOf(classes.body));
    const descriptor = Object.getOwnPropertyDescriptor(target, method);
    if (!descriptor) continue;
    for (const decorate of decoratorsOf(classes)) decorate(target, method, descriptor);
  }
}

function decoratorsOf({ params, query, body }: InputUse['classes']): MethodDecorator[] {
  return [
    ...(body ? [ApiBody({ type: body })] : []),
    ...fieldsOf(params).map(({ name, rule }) => ApiParam({ name, schema: rule.schema })),
    ...fieldsOf(query).map(({ name, rule, required }) =>
      ApiQuery({ name, required, schema: { ...rule.schema, ...defaultOf(query, name) } }),
    ),
  ];
}

/** What a query that leaves the parameter out says, as the class itself has it. */
function defaultOf(type: InputUse['classes']['query'], name: string): { default?: unknown } {
  const value = type && (new type() as Record<string, unknown>)[name];
  return value === undefined ? {} : { default: value };
}

function fieldsOf(type: InputUse['classes']['body']): FieldShape[] {
  return type ? [...shapeOf(type).fields.values()] : [];
}

function publishFields(shape: PayloadShape): void {
  if (isPublished(shape)) return;
  for (const { name, rule, required, items } of shape.fields.values()) {
    const list = items && { type: () => items.type, isArray: true };
    ApiProperty({ ...rule.schema, required, ...list })(shape.type.prototype as object, name);
    if (items) publishFields(items);
  }
}

/** Asked once of each: from then on it is. */
function isPublished(described: InputUse | PayloadShape): boolean {
  const isKnown = PUBLISHED.has(described);
  PUBLISHED.add(described);
  return isKnown;
}
