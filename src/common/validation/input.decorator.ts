import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import { AppError, fieldError, validationError, type FieldError } from '../errors.js';
import { shapeOf, type PayloadClass } from './payload-shape.js';
import { payloadErrors } from './payload-validator.js';
import { undecodableParameters } from './query.js';
import type { RuleContext } from './rules.js';

/** The classes that describe what a route takes; a part that is not named is taken as absent. */
export interface InputClasses<Params extends object, Query extends object, Body extends object> {
  readonly params?: PayloadClass<Params>;
  readonly query?: PayloadClass<Query>;
  readonly body?: PayloadClass<Body>;
}

/** What a controller receives: every part right, the body as parsed, the query converted to its class. */
export interface ValidInput<Params extends object, Query extends object, Body extends object> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A handler, and what it takes. */
export interface InputUse {
  readonly classes: InputClasses<object, object, object>;
  /** The controller's prototype, and the handler's name in it. */
  readonly target: object;
  readonly method: string | symbol;
}

const USES: InputUse[] = [];

/** Every handler that takes an input, so that its classes can be published (published-inputs.ts). */
export function inputUses(): readonly InputUse[] {
  return USES;
}

/** Routes that name no query take none: every parameter is then `unexpected_field` (contract T11). */
class NoQuery {}

interface Validated extends FastifyRequest {
  ruleContext: RuleContext;
}

/**
 * Hand the controller everything that the caller sent, validated as a whole: path segments, then query parameters, then
 * the body, with all errors in one answer.
 *
 * @throws AppError `validation_error`, or `parse_error` when a body is needed and none came
 * Source: contract T6, T7, T11.
 */
export function Input<Params extends object, Query extends object, Body extends object>(
  classes: InputClasses<Params, Query, Body>,
): ParameterDecorator {
  const inject = createParamDecorator((_data: unknown, execution: ExecutionContext) =>
    validInput(classes, execution.switchToHttp().getRequest<Validated>()),
  )();
  return (target, method, index) => {
    inject(target, method, index);
    if (method !== undefined) USES.push({ classes, target, method });
  };
}

function validInput(
  classes: InputClasses<object, object, object>,
  request: Validated,
): ValidInput<object, object, object> {
  const { params, body } = request;
  const context = request.ruleContext;
  const queryClass = classes.query ?? NoQuery;
  const query = convertQuery(queryClass, request.query as Record<string, unknown>);
  if (classes.body !== undefined && body === undefined) {
    throw new AppError('parse_error', { detail: 'The request has no body.' });
  }
  const errors = [
    ...(classes.params ? payloadErrors(classes.params, params, context) : []),
    ...queryErrors(queryClass, query, request),
    ...(classes.body ? payloadErrors(classes.body, body, context) : []),
  ];
  if (errors.length > 0) throw validationError(errors);
  return { params: params as object, query, body: body as object };
}

function queryErrors(type: PayloadClass, query: object, { raw, ruleContext }: Validated): FieldError[] {
  const errors = payloadErrors(type, query, ruleContext);
  const named = new Set(errors.map(({ attr }) => attr));
  const undecodable = undecodableParameters(raw.url ?? '').filter((name) => !named.has(name));
  return [...errors, ...undecodable.map((name) => fieldError('invalid', name, NOT_ENCODED))];
}

const NOT_ENCODED = 'The value is not percent-encoded UTF-8.';

/** What a query without parameters says, of each class; nearly every query is such a one. */
const DEFAULTS = new Map<PayloadClass, object>();

function defaultsOf(type: PayloadClass): object {
  const known =
    DEFAULTS.get(type) ?? Object.freeze({ ...plainToInstance(type, {}, { exposeDefaultValues: true }) });
  DEFAULTS.set(type, known);
  return known;
}

/** Convert what the class knows; everything else stays, under whatever name, to be refused by its name. */
function convertQuery(type: PayloadClass, raw: Record<string, unknown>): object {
  if (Object.keys(raw).length === 0) return defaultsOf(type);
  const { fields } = shapeOf(type);
  const [known, unknown] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(raw).filter(([name]) => fields.has(name) === wanted)),
  );
  return { ...plainToInstance(type, known, { exposeDefaultValues: true }), ...unknown };
}
