import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery } from './openapi.js';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../routes/route-config.js';
import { schemaOf } from './field.decorators.js';
import { InputPipe, type InputClasses, type RawInput } from './input.pipe.js';
import { shapeOf } from './payload-shape.js';

/** What a controller receives: every part right, the body as parsed, the query converted to its class. */
export interface ValidInput<Params extends object, Query extends object, Body extends object> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** Where the configuration of a Fastify route has the class of its body, which is counted before it is complete. */
export const BODY_CLASS = 'bodyClass';

/**
 * Hand the controller everything that the caller sent, validated as a whole by {@link InputPipe}, which Nest's `@Param`,
 * `@Query` and `@Body` would validate one after the other; and describe it to Swagger, which knows only those three.
 *
 * @throws AppError `validation_error`, or `parse_error` when a body is needed and none was sent
 * Source: choices T6, T7, T11.
 */
export function Input(classes: InputClasses): ParameterDecorator {
  const inject = createParamDecorator((_data: unknown, execution: ExecutionContext): RawInput => ({
    classes,
    request: execution.switchToHttp().getRequest<FastifyRequest>(),
  }))(InputPipe);
  return (target, method, index) => {
    inject(target, method, index);
    const descriptor = method && Object.getOwnPropertyDescriptor(target, method);
    if (!descriptor) throw new Error('@Input is for parameters of handlers.');
    for (const describe of descriptionsOf(classes)) describe(target, method, descriptor);
  };
}

function descriptionsOf({ params, query, body }: InputClasses): MethodDecorator[] {
  return [
    ...(body ? [ApiBody({ type: body }), AddRouteConfig({ [BODY_CLASS]: body })] : []),
    ...parametersOf(params).map(({ name, description, schema }) => ApiParam({ name, description, schema })),
    ...parametersOf(query).map((parameter) => ApiQuery(parameter)),
  ];
}

interface ParameterDescription {
  readonly name: string;
  readonly required: boolean;
  /** At the parameter and not in its schema, where generators do not look for it. */
  readonly description: string;
  readonly schema: Record<string, unknown>;
}

function parametersOf(type: Type<object> | undefined): ParameterDescription[] {
  if (!type) return [];
  const defaults = new type() as Record<string, unknown>;
  return [...shapeOf(type).fields.values()].map(({ name, isOptional }) => {
    const { description = '', ...schema } = schemaOf(type, name);
    const byDefault = defaults[name] === undefined ? {} : { default: defaults[name] };
    return { name, required: !isOptional, description, schema: { ...schema, ...byDefault } };
  });
}
