import type { FastifyInstance } from 'fastify';
import { AppError } from '../../common/errors.js';
import { parseJson } from '../../common/json.js';

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/** Reads bodies as JSON in UTF-8 and nothing else; the size is checked before the media type (choices T10, T15). */
export function jsonBodyPlugin(instance: FastifyInstance, bodyLimit: number): void {
  // Fastify refuses a malformed media type, such as `json`, before it looks at the size.
  instance.addHook('preParsing', ({ headers, routeOptions }, _reply, _payload, done) => {
    const isTooLarge = Number(headers['content-length']) > routeOptions.bodyLimit;
    done(isTooLarge ? new AppError('payload_too_large') : null);
  });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, ({ headers }, body, done) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (!JSON_TYPE.test(headers['content-type'] ?? '') || encoding !== 'identity') {
      done(new AppError('unsupported_media_type'));
      return;
    }
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
