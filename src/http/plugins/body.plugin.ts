import type { Type } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../common/errors.js';
import { parseJson } from '../../common/json.js';
import { ListCounter, type ItemLimits } from '../../common/list-counter.js';
import { BODY_CLASS } from '../../common/validation/input.decorator.js';
import { itemLimits } from '../../common/validation/list-limits.js';
import { shapeOf } from '../../common/validation/payload-shape.js';
import type { Environment } from '../../config/settings.js';
import { isForPage } from '../../console/common/below-console.js';
import { readBody } from './body-reader.js';
import { FORM_BYTES_MAX, FORM_TYPE, parseForm } from './form-body.js';
import { ParseQueue } from './parse-queue.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/**
 * Smaller bodies are parsed in a few milliseconds whatever they contain, so their items need not be counted before. Most
 * requests with 500 transactions are smaller.
 */
const UNCOUNTED_BYTES_MAX = 131_072;

/** How the bodies of a route are read. */
interface Format {
  readonly type: RegExp;
  readonly limitBytes: number;
  readonly parse: (body: Buffer) => unknown;
}

const FORM: Format = { type: FORM_TYPE, limitBytes: FORM_BYTES_MAX, parse: parseForm };

/**
 * Reads the bodies of forms on the pages of the console, and everywhere else JSON in UTF-8 and nothing else; the size is checked
 * before the media type. The items of a large body are counted while it arrives, because parsing millions of them would delay all
 * other requests.
 *
 * Source: choices C3, T10, T15.
 */
export function bodyPlugin(
  instance: FastifyInstance,
  { BODY_LIMIT_BYTES, ITEMS_MAX }: Pick<Environment, 'BODY_LIMIT_BYTES' | 'ITEMS_MAX'>,
): void {
  const formatOf = (request: FastifyRequest): Format =>
    isForPage(request)
      ? FORM
      : { type: JSON_TYPE, limitBytes: request.routeOptions.bodyLimit, parse: parseJson };
  // Fastify refuses a malformed media type, such as `json`, before it looks at the size.
  instance.addHook('preParsing', (request, _reply, _payload, done) => {
    const isTooLarge = Number(request.headers['content-length']) > formatOf(request).limitBytes;
    done(isTooLarge ? new AppError('payload_too_large') : null);
  });
  const limits = new Map<Type<object>, ItemLimits>();
  const counterFor = (contentLength: string | undefined, config: object): ListCounter | undefined => {
    if (Number(contentLength) <= UNCOUNTED_BYTES_MAX || !(BODY_CLASS in config)) return undefined;
    const type = config[BODY_CLASS] as Type<object>;
    const known = limits.get(type) ?? itemLimits(shapeOf(type), ITEMS_MAX);
    limits.set(type, known);
    return new ListCounter(known);
  };
  const queue = new ParseQueue();
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { bodyLimit: BODY_LIMIT_BYTES }, (request, payload, done) => {
    const { headers, routeOptions } = request;
    const { type, limitBytes, parse } = formatOf(request);
    const encoding = headers['content-encoding'] ?? 'identity';
    const isRead = type.test(headers['content-type'] ?? '') && encoding === 'identity';
    const options = {
      limitBytes,
      refusal: isRead ? undefined : new AppError('unsupported_media_type'),
      counter: counterFor(headers['content-length'], routeOptions.config),
    };
    readBody(payload, options, (error, body) => {
      if (!body) {
        done(error);
        return;
      }
      queue.enqueue(body.length, () => {
        parseWith(parse, body, done);
      });
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
