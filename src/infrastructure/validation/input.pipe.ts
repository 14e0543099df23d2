import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import { AppError, fieldError, validationError, type FieldError } from '../errors/errors.js';
import { payloadErrors } from './payload-errors.js';
import { shapeOf } from './payload-shape.js';
import { undecodableParameters } from './query.js';
import { NO_RUNTIME_LIMITS, RuntimeLimitsProvider, type RuntimeLimits } from './rules/runtime-limits.js';

/** The classes that describe the input of a route. If a part has no class, the route accepts nothing there. */
export interface InputClasses {
  readonly params?: Type<object>;
  readonly query?: Type<object>;
  readonly body?: Type<object>;
}

/** A request with the result of counting its body while it arrived. */
export interface MeasuredRequest {
  /** See {@link RuntimeLimits}. */
  hasLargeItem?: RuntimeLimits['hasLargeItem'];
}

/** A request, and the classes that it must match. */
export interface RawInput {
  readonly classes: InputClasses;
  readonly request: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'url'> & MeasuredRequest;
}

interface CheckedInput {
  readonly params: unknown;
  readonly query: object;
  readonly body: unknown;
}

/** The query class of routes that accept no query: every parameter is then `unexpected_field` (choice T11). */
class NoQuery {}

/**
 * Validates path segments, then query parameters, then the body, with all errors in one response.
 *
 * Source: choice T6.
 */
@Injectable()
export class InputPipe implements PipeTransform<RawInput, Promise<CheckedInput>> {
  constructor(private readonly limits: RuntimeLimitsProvider) {}

  /** @throws AppError `validation_error`, or `parse_error` if a body is needed and none was sent */
  async transform({ classes, request }: RawInput): Promise<CheckedInput> {
    const { params, body } = request;
    const queryClass = classes.query ?? NoQuery;
    // Nearly all requests have no query.
    const hasQuery = request.url.includes('?');
    const query = hasQuery
      ? convertQuery(queryClass, request.query as Record<string, unknown>)
      : defaultsOf(queryClass);
    if (classes.body !== undefined && body === undefined) {
      throw new AppError('parse_error', { detail: 'The request has no body.' });
    }
    const limits = await this.limitsFor(classes, request);
    const errors = [
      ...(classes.params ? payloadErrors(classes.params, params, limits) : []),
      ...(hasQuery ? queryErrors(queryClass, query, request.url, limits) : []),
      ...(classes.body ? payloadErrors(classes.body, body, limits) : []),
    ];
    if (errors.length > 0) throw validationError(errors);
    return { params, query, body };
  }

  private async limitsFor({ body }: InputClasses, { hasLargeItem }: MeasuredRequest): Promise<RuntimeLimits> {
    const { itemsMax } = this.limits;
    const usesCatalogues = body !== undefined && shapeOf(body).usesCatalogues;
    return {
      itemsMax,
      hasLargeItem,
      catalogues: usesCatalogues ? await this.limits.catalogues() : NO_RUNTIME_LIMITS.catalogues,
    };
  }
}

function queryErrors(type: Type<object>, query: object, url: string, limits: RuntimeLimits): FieldError[] {
  const errors = payloadErrors(type, query, limits);
  const named = new Set(errors.map(({ attr }) => attr));
  const undecodable = undecodableParameters(url).filter((name) => !named.has(name));
  return [...errors, ...undecodable.map((name) => fieldError('invalid', name, NOT_ENCODED))];
}

const NOT_ENCODED = 'The value is not percent-encoded UTF-8.';

/** The converted query of requests without query parameters, by class. */
const DEFAULTS = new Map<Type<object>, object>();

function defaultsOf(type: Type<object>): object {
  const known =
    DEFAULTS.get(type) ?? Object.freeze({ ...plainToInstance(type, {}, { exposeDefaultValues: true }) });
  DEFAULTS.set(type, known);
  return known;
}

/** Convert the parameters that the class knows. All others stay as they are, and are rejected by name. */
function convertQuery(type: Type<object>, raw: Record<string, unknown>): object {
  const { fields } = shapeOf(type);
  const [known, unknown] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(raw).filter(([name]) => fields.has(name) === wanted)),
  );
  return { ...plainToInstance(type, known, { exposeDefaultValues: true }), ...unknown };
}
