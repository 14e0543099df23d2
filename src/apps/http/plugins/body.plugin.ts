import type { Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { AppError } from '../../../infrastructure/errors/errors.js';
import { parseJson } from '../../../infrastructure/json/json.js';
import { JsonCounter, type JsonLimits } from '../../../infrastructure/json/json-counter.js';
import { BODY_CLASS } from '../../../infrastructure/validation/input.decorator.js';
import type { MeasuredRequest } from '../../../infrastructure/validation/input.pipe.js';
import { jsonLimits } from '../../../infrastructure/validation/json-limits.js';
import { shapeOf } from '../../../infrastructure/validation/payload-shape.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import { readBody } from './body-reader.js';
import { ParseQueue, QUEUED_BYTES_MIN } from './parse-queue.js';
import { addRouteHook } from './route-hooks.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/**
 * Bodies up to this size are parsed in a few milliseconds whatever they contain, so their content is not counted first. Most
 * requests with 500 transactions are smaller.
 */
const UNCOUNTED_BYTES_MAX = 131_072;

/** The media type of a route's bodies and the function that parses them. */
export interface BodyFormat {
  readonly type: RegExp;
  readonly parse: (body: Buffer) => unknown;
}

/** The configuration of a route whose bodies are not JSON in UTF-8. */
export interface BodyConfig {
  readonly bodyFormat?: BodyFormat;
}

const JSON_BODY: BodyFormat = { type: JSON_TYPE, parse: parseJson };

const BODILESS = new Set(['GET', 'HEAD']);

/**
 * Reads a route's bodies in its configured format, by default JSON. The size is checked before the media type. The content of a large
 * body is counted while it arrives, because parsing millions of objects or names would delay all other requests.
 *
 * Source: choices C3, T10, T15, T19.
 */
export function bodyPlugin(
  instance: FastifyInstance,
  { BODY_LIMIT_BYTES, ITEMS_MAX }: Pick<Environment, 'BODY_LIMIT_BYTES' | 'ITEMS_MAX'>,
): void {
  // Fastify rejects a malformed media type, such as `json`, before it looks at the size.
  addRouteHook(
    instance,
    'preParsing',
    ({ method }) => [method].flat().some((one) => !BODILESS.has(one)),
    ({ headers, routeOptions }, _reply, _payload, done) => {
      const isTooLarge = Number(headers['content-length']) > routeOptions.bodyLimit;
      done(isTooLarge ? new AppError('payload_too_large') : null);
    },
  );
  const limits = new Map<Type<object>, JsonLimits>();
  const counterOf = (config: object): JsonCounter | undefined => {
    if (!(BODY_CLASS in config)) return undefined;
    const type = config[BODY_CLASS] as Type<object>;
    const limitsOfType = limits.get(type) ?? jsonLimits(shapeOf(type), ITEMS_MAX, BODY_LIMIT_BYTES);
    limits.set(type, limitsOfType);
    return new JsonCounter(limitsOfType);
  };
  const queue = new ParseQueue();
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { bodyLimit: BODY_LIMIT_BYTES }, (request, payload, done) => {
    const { headers, routeOptions } = request;
    const { bodyFormat: { type, parse } = JSON_BODY } = routeOptions.config as BodyConfig;
    const encoding = headers['content-encoding'] ?? 'identity';
    const isSupported = type.test(headers['content-type'] ?? '') && encoding === 'identity';
    // A body without a stated length may be large.
    const isSmall = Number(headers['content-length']) <= UNCOUNTED_BYTES_MAX;
    const counter = isSmall ? undefined : counterOf(routeOptions.config);
    const options = {
      limitBytes: routeOptions.bodyLimit,
      refusal: isSupported ? undefined : new AppError('unsupported_media_type'),
      counter,
    };
    readBody(payload, options, (error, body) => {
      (request as MeasuredRequest).hasLargeItem = counter?.hasLargeItem;
      const { caller } = request as AuthenticatedRequest;
      if (body && caller) caller.bodyBytes = body.length;
      if (!body) {
        done(error);
      } else if (body.length < QUEUED_BYTES_MIN) {
        parseWith(parse, body, done);
      } else {
        queue.enqueue(() => {
          parseWith(parse, body, done);
        });
      }
    });
  });
}

function parseWith(
  parse: (body: Buffer) => unknown,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  let value: unknown;
  try {
    value = parse(body);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, value);
}
