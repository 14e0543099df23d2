import type { RequestListener, Server } from 'node:http';
import fastifyCompress, { type FastifyCompressOptions } from '@fastify/compress';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from '../../app.module.js';
import { NestLogger } from '../../infrastructure/log/logger.js';
import { requestId } from '../../infrastructure/log/request-origin.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { ErrorFilter } from './error.filter.js';
import { ClientErrorHandler } from './client-error-handler.js';
import { HttpPlugins } from './plugins/http-plugins.js';
import type { PressureLimits } from './plugins/pressure.plugin.js';
import { answerUndecodableAddress } from './plugins/routing-errors.plugin.js';
import { PARAMETER_LENGTH_MAX, RouteTable } from './plugins/route-table.js';
import { ServiceServer } from './service-server.js';

/** Smaller responses are not worth compressing. */
const COMPRESSION_THRESHOLD_BYTES = 1_024;
const COMPRESSION: FastifyCompressOptions = {
  threshold: COMPRESSION_THRESHOLD_BYTES,
  encodings: ['br', 'gzip'],
  customTypes: /^text\/|\/(?:x-nd)?json|\+(?:json|xml)/,
  // Only responses are compressed. A compressed request is rejected with 415.
  globalDecompression: false,
};

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX };

export interface AppOptions {
  readonly environment: Environment;
  /** postgres:// address of a migrated database. */
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** The application's server, which may already be listening. */
  readonly server?: ServiceServer;
  /** The limits above which the process counts as overloaded. */
  readonly pressure?: PressureLimits;
}

/** Build the HTTP application, ready to listen. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { environment, databaseUrl, logger, server = new ServiceServer() } = options;
  const clientErrors = new ClientErrorHandler(logger, server);
  const adapter = createAdapter(options, server, clientErrors);
  const instance = adapter.getInstance<FastifyInstance>();
  const routes = new RouteTable(instance, ROUTER_OPTIONS);
  await instance.register(fastifyCompress, COMPRESSION);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(environment, databaseUrl),
    adapter,
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  app.useGlobalFilters(new ErrorFilter());
  server.limitConnections(environment.CONNECTIONS_MAX);
  await app.get(HttpPlugins, { strict: false }).register(instance, routes, options.pressure);
  await app.init();
  return app;
}

function createAdapter(
  { environment, logger }: AppOptions,
  server: ServiceServer,
  clientErrors: ClientErrorHandler,
): FastifyAdapter {
  // Without Fastify's own line about the start: run-service.ts prints the address for people.
  const level = logger.isLevelEnabled('warn') ? 'warn' : logger.level;
  return new FastifyAdapter({
    loggerInstance: logger.child({}, { level }) as unknown as FastifyBaseLogger,
    // request-log.plugin.ts writes one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share one logger: each line names its request, and a logger for each request costs more than the line.
    childLoggerFactory: () => logger as unknown as FastifyBaseLogger,
    bodyLimit: environment.BODY_LIMIT_BYTES,
    serverFactory: (handler: RequestListener): Server => {
      server.application = handler;
      return server;
    },
    trustProxy: environment.TRUSTED_PROXIES ?? false,
    routerOptions: ROUTER_OPTIONS,
    genReqId: requestId,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => {
      clientErrors.handle(error, socket);
    },
    frameworkErrors: answerUndecodableAddress,
  });
}
