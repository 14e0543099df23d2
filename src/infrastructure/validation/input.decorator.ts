import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery } from './openapi.js';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../routes/route-config.js';
import { schemaOf } from './field.decorators.js';
import { InputPipe, type InputClasses, type RawInput } from './input.pipe.js';
import { shapeOf } from './payload-shape.js';

/** The input of a controller: every part is valid, the body as parsed, the query converted to its class. */
export interface ValidInput<Params extends object, Query extends object, Body extends object> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** Key in the configuration of a Fastify route for the class of its body, which is counted while it arrives. */
export const BODY_CLASS = 'bodyClass';

/**
 * Inject everything that the client sent, validated as a whole by {@link InputPipe}: Nest's `@Param`, `@Query` and `@Body` would
 * validate the parts one after the other. Also describes the input to Swagger, which knows only those three.
 *
 * @throws AppError `validation_error`, or `parse_error` if a body is needed and none was sent
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
  /** In the parameter instead of its schema, because generators do not look for it there. */
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
