import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import fastifyCompress from '@fastify/compress';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from '../app.module.js';
import { AuthService } from '../auth/auth.service.js';
import { IS_PUBLIC, type AuthenticatedRequest } from '../auth/caller.js';
import { fitGraphqlRoute } from '../auth/graphql/graphql-route.js';
import { RequestLimitService } from '../auth/request-limit.service.js';
import { ClientErrorHandler } from './client-error-handler.js';
import { CataloguesService, type CatalogueSnapshot } from '../catalogues/catalogues.service.js';
import { ErrorFilter } from '../common/error-response.js';
import { AppError } from '../common/errors.js';
import { parseJson } from '../common/json.js';
import { NestLogger } from '../common/logger.js';
import { requestId } from './request-id.js';
import { hasEmptySegment, PARAMETER_LENGTH_MAX, RouteTable } from './route-table.js';
import { toBoolean } from '../common/validation/query.js';
import type { RuleContext } from '../common/validation/rules.js';
import { measureRequests } from './metrics.js';
import type { Environment } from '../config/settings.js';

/** Request line and headers together; the longest path of ours and a token need less than a third of it. */
const HEADERS_BYTES_MAX = 16_384;
/** A client that stops sending in the middle of its headers, or of the whole request, is cut off after this. */
const HEADERS_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 120_000;
/** A connection without a request is closed after this: longer than the 60 s that load balancers keep theirs. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Answers smaller than this are not worth compressing. */
const COMPRESSION_THRESHOLD_BYTES = 1_024;

/** No route is called so, now or later. */
const NOWHERE = '/nowhere';

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX };

export interface AppOptions {
  readonly environment: Environment;
  /** postgres:// address of a migrated database. */
  readonly databaseUrl: string;
  readonly logger: Logger;
}

/**
 * Build the HTTP application, ready to listen. Everything that happens to a request before Nest routes it to a
 * controller is here, in the order in which it happens (contract T10).
 */
export async function createApp({
  environment,
  databaseUrl,
  logger,
}: AppOptions): Promise<NestFastifyApplication> {
  const routes = new RouteTable(ROUTER_OPTIONS);
  const brokenRequests = new ClientErrorHandler(HEADERS_BYTES_MAX, logger);
  const adapter = new FastifyAdapter({
    loggerInstance: logger as unknown as FastifyBaseLogger,
    // One line a request is written below, with the request's id in it.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    bodyLimit: environment.BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Node.js would answer a missing Host in a shape of its own; identifyRequests refuses it in ours.
      requireHostHeader: false,
    },
    trustProxy: environment.TRUSTED_PROXIES ?? false,
    routerOptions: ROUTER_OPTIONS,
    genReqId: requestId,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => {
      brokenRequests.answer(error, socket);
    },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendNowhere(request, reply);
    },
  });
  const instance = adapter.getInstance<FastifyInstance>();
  routes.watch(instance);
  await instance.register(fastifyCompress, {
    threshold: COMPRESSION_THRESHOLD_BYTES,
    encodings: ['br', 'gzip'],
    // Only answers are compressed: a compressed request is refused with 415.
    globalDecompression: false,
  });

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(environment, databaseUrl),
    adapter,
    {
      bodyParser: false,
      logger: new NestLogger(logger),
      abortOnError: false,
    },
  );
  app.useGlobalFilters(new ErrorFilter());

  ignoreExpectations(instance);
  brokenRequests.watch(instance);
  identifyRequests(instance);
  if (environment.METRICS_PORT !== undefined) measureRequests(instance);
  settleConnections(instance);
  answerWithoutRoute(instance, routes);
  markDryRuns(instance);
  authenticateRequests(instance, app.get(AuthService), app.get(RequestLimitService));
  readBodies(instance, environment);
  fitGraphqlRoute(instance, environment.BODY_LIMIT_BYTES);
  provideRuleContext(instance, environment, app.get(CataloguesService, { strict: false }));
  await app.init();
  return app;
}

/** Node.js would answer an unknown `Expect` with a bare 417; the request is served as if it had none. */
function ignoreExpectations(instance: FastifyInstance): void {
  instance.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    instance.server.emit('request', request, response);
  });
}

/**
 * The router refuses an address that cannot be decoded, or has an over-long segment, on its own, and no hook runs. Nobody
 * has such an address: the request is let in again under one that is merely unknown, and is then refused, logged and
 * counted as every other one (contract T3, T4).
 */
function sendNowhere({ raw, server }: FastifyRequest, reply: FastifyReply): void {
  raw.url = NOWHERE;
  server.routing(raw, reply.raw);
}

/** Every answer carries the request's id, every request leaves one log line (contract T3). */
function identifyRequests(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // The framework's own hooks tell nothing of a request that was read whole and whose connection ends.
    let isAnswered = false;
    reply.raw.once('finish', () => {
      isAnswered = true;
    });
    reply.raw.once('close', () => {
      logEnd(request, reply, isAnswered);
    });
    const isWithoutHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(isWithoutHost ? new AppError('parse_error', { detail: 'The Host header is missing.' }) : undefined);
  });
}

function logEnd(request: AuthenticatedRequest, reply: FastifyReply, isAnswered: boolean): void {
  const line = {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: isAnswered ? reply.statusCode : undefined,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    organisation: request.caller?.organisationId,
  };
  request.log.info(line, isAnswered ? 'answered' : whoEnded(request.raw));
}

/** Which side closed the connection of a request that has no whole answer. */
function whoEnded({ socket }: IncomingMessage): string {
  return socket.readableEnded || socket.errored ? 'abandoned by the caller' : 'broken off by the service';
}

/**
 * See that every answer arrives. A connection that is closed while its caller is still sending is reset, and takes the
 * answer with it; so what is left of a request that was refused early is read and thrown away, and where the connection
 * must be closed behind the answer, the answer waits for that, {@link REQUEST_TIMEOUT_MS} at most.
 *
 * When the service ends every connection is closed, for one that stays open would hold up the end.
 */
function settleConnections(instance: FastifyInstance): void {
  instance.addHook('onSend', ({ raw: request }, reply, _payload, done) => {
    if (!instance.server.listening) reply.header('connection', 'close');
    // The framework closes the connection behind every body that it did not take.
    else if (reply.hasHeader('connection')) reply.removeHeader('connection');
    if (request.complete) {
      done();
      return;
    }
    request.resume();
    if (reply.raw.shouldKeepAlive && instance.server.listening) {
      done();
      return;
    }
    finished(request, () => {
      done();
    });
  });
}

/**
 * Tell of an address or a method that nobody listens to before anything else is looked at, so that neither a token nor a
 * body is asked for in vain; and answer `OPTIONS`, which has no route of its own.
 */
function answerWithoutRoute(instance: FastifyInstance, routes: RouteTable): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const isUnknown = request.is404 || hasEmptySegment(request.params as Record<string, string>);
    if (!isUnknown && request.method !== 'OPTIONS') {
      done();
      return;
    }
    const allowed = routes.allowedMethods(request.raw.url ?? '');
    if (request.method === 'OPTIONS' && allowed.length > 0) {
      void reply.status(204).header('allow', allowed.join(', ')).send();
      return;
    }
    done(isUnknown ? unknownAddress(allowed) : undefined);
  });
}

function unknownAddress(allowed: readonly string[]): AppError {
  if (allowed.length === 0) return new AppError('not_found');
  return new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

/** Tell a dry run from a real request, whatever its answer is: refused callers and bodies come later (contract R1). */
function markDryRuns(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const { dry_run } = request.query as { dry_run?: unknown };
    if (toBoolean(dry_run) === true) reply.header('x-dry-run', 'true');
    done();
  });
}

/**
 * Find out who is calling, and whether they may call so often, before the body is read; a route is open only when it
 * says so.
 */
function authenticateRequests(
  instance: FastifyInstance,
  auth: AuthService,
  limit: RequestLimitService,
): void {
  instance.addHook('onRequest', async (request: AuthenticatedRequest) => {
    const config: object = request.routeOptions.config;
    if (IS_PUBLIC in config && config[IS_PUBLIC] === true) return;
    request.caller = await auth.authenticate(request.headers.authorization, request.id);
    await limit.admit(request.caller);
  });
}

const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/** Read bodies as JSON in UTF-8 and nothing else; one that is too large is told before one of a wrong type. */
function readBodies(instance: FastifyInstance, { BODY_LIMIT_BYTES }: Environment): void {
  // What is no type at all, such as `json`, the framework refuses before it looks at the body.
  instance.addHook('preParsing', ({ headers, routeOptions }, _reply, _payload, done) => {
    const isTooLarge = Number(headers['content-length']) > routeOptions.bodyLimit;
    done(isTooLarge ? new AppError('payload_too_large') : null);
  });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
    (request, body, done) => {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (!JSON_TYPE.test(request.headers['content-type'] ?? '') || encoding !== 'identity') {
        done(new AppError('unsupported_media_type'));
        return;
      }
      try {
        done(null, parseJson(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Lay ready what the rules of a payload need to know: the limits, and the catalogues as they are now. */
function provideRuleContext(
  instance: FastifyInstance,
  environment: Environment,
  catalogues: CataloguesService,
): void {
  let latest: { snapshot: CatalogueSnapshot; context: RuleContext } | undefined;
  const contextOf = (snapshot: CatalogueSnapshot): RuleContext => {
    if (latest?.snapshot !== snapshot) {
      const catalogue = (field: string): ReadonlySet<string> => snapshot.get(field) ?? new Set();
      latest = { snapshot, context: { itemsMax: environment.ITEMS_MAX, catalogue } };
    }
    return latest.context;
  };
  instance.decorateRequest('ruleContext');
  instance.addHook('preHandler', (request, _reply, done) => {
    const snapshot = catalogues.current();
    if (snapshot instanceof Promise) {
      snapshot.then((fresh) => {
        request.ruleContext = contextOf(fresh);
        done();
      }, done);
      return;
    }
    request.ruleContext = contextOf(snapshot);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the rules of a payload may need to know (common/validation/rules.ts). */
    ruleContext: RuleContext;
  }
}
