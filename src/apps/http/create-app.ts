import type { RequestListener, Server } from 'node:http';
import fastifyCompress, { type FastifyCompressOptions } from '@fastify/compress';
import type { Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from '../../app.module.js';
import { AuthService } from '../../auth/auth.service.js';
import { GRAPHQL_PATH, graphqlRoutePlugin } from '../../auth/graphql/graphql-route.js';
import { RequestLimitService } from '../../auth/request-limit.service.js';
import { NestLogger } from '../../infrastructure/log/logger.js';
import { requestId } from '../../infrastructure/log/request-origin.js';
import { hasConsole } from '../../infrastructure/config/has-console.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { ConsoleErrorFilter } from '../console/layout/console-error.filter.js';
import { SessionCookies } from '../console/signed-in/session-cookies.js';
import { SessionsService } from '../console/signed-in/sessions.service.js';
import { Budget } from '../../infrastructure/limits/budget.js';
import { originOf } from '../../infrastructure/log/request-origin.js';
import { HealthService } from '../../infrastructure/health/health.service.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { RefusalsService } from '../../capabilities/request-log/refusals/refusals.service.js';
import { docsPlugin } from './plugins/docs.plugin.js';
import { ErrorFilter } from './error.filter.js';
import { lateGraphql } from './graphql/late-graphql.js';
import { accessPlugin } from './plugins/access.plugin.js';
import { answerHeadersPlugin } from './plugins/answer-headers.plugin.js';
import { authenticationPlugin } from './plugins/authentication.plugin.js';
import { ClientErrorHandler } from './client-error-handler.js';
import { consolePlugin } from './plugins/console.plugin.js';
import { connectionsPlugin } from './plugins/connections.plugin.js';
import { dryRunPlugin } from './plugins/dry-run.plugin.js';
import { bodyPlugin } from './plugins/body.plugin.js';
import { budgetPlugin } from './plugins/budget.plugin.js';
import { homeOf } from './plugins/home.js';
import { pressurePlugin, type PressureLimits } from './plugins/pressure.plugin.js';
import { proxyHeadersPlugin } from './plugins/proxy-headers.plugin.js';
import { refusalsPlugin } from './plugins/refusals.plugin.js';
import { requestLimitPlugin } from './plugins/request-limit.plugin.js';
import { requestLogPlugin, sameLogger } from './plugins/request-log.plugin.js';
import { answerUndecodableAddress, routingErrorsPlugin } from './plugins/routing-errors.plugin.js';
import { isPage } from './plugins/route-hooks.js';
import { PARAMETER_LENGTH_MAX, RouteTable } from './plugins/route-table.js';
import { ServiceServer } from './service-server.js';

/** Smaller responses are not worth compressing. */
const COMPRESSION_THRESHOLD_BYTES = 1_024;
const COMPRESSION: FastifyCompressOptions = {
  threshold: COMPRESSION_THRESHOLD_BYTES,
  encodings: ['br', 'gzip'],
  customTypes: /^text\/|\/(?:x-nd)?json|\+(?:json|xml)/,
  // Only responses are compressed: a compressed request is refused with 415.
  globalDecompression: false,
};

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX };

export interface AppOptions {
  readonly environment: Environment;
  /** postgres:// address of a migrated database. */
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** The server of the application, which may listen already. */
  readonly server?: ServiceServer;
  /** From when on the process counts as overloaded. */
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
  const service = <T>(type: Type<T>): T => app.get(type, { strict: false });
  app.useGlobalFilters(new ErrorFilter());

  // In the order in which they act on a request (choice T10).
  requestLogPlugin(instance);
  answerHeadersPlugin(instance);
  const health = app.get(HealthService);
  if (environment.METRICS_PORT !== undefined) {
    (await import('./metrics/metrics.js')).makeMetrics(app, instance);
  }
  const budget = app.get(Budget);
  server.limitConnections(environment.CONNECTIONS_MAX);
  connectionsPlugin(instance, health);
  await pressurePlugin(instance, budget, options.pressure);
  const pages = hasConsole(environment)
    ? await consolePlugin(instance, {
        sessions: service(SessionsService),
        cookies: service(SessionCookies),
        errors: service(ConsoleErrorFilter),
      })
    : undefined;
  routingErrorsPlugin(instance, routes, { home: homeOf(environment), prepare: pages });
  proxyHeadersPlugin(instance, (route) => isPage(route) || route.url === GRAPHQL_PATH);
  refusalsPlugin(instance, service(RefusalsService));
  dryRunPlugin(instance);
  authenticationPlugin(instance, app.get(AuthService));
  const open = budgetPlugin(instance, budget, environment);
  accessPlugin(instance, open, app.get(AuthService), service(ImportSuppliersService));
  if (environment.REQUESTS_PER_MINUTE !== undefined) {
    requestLimitPlugin(instance, app.get(RequestLimitService));
  }
  bodyPlugin(instance, environment);
  graphqlRoutePlugin(
    instance,
    environment.BODY_LIMIT_BYTES,
    lateGraphql(instance, app.get(LazyModuleLoader)),
    (request) => app.get(AuthService).authenticate(request.headers.authorization, originOf(request)),
  );
  if (environment.DOCS === 'on') docsPlugin(instance);
  await app.init();
  return app;
}

function createAdapter(
  { environment, logger }: AppOptions,
  server: ServiceServer,
  clientErrors: ClientErrorHandler,
): FastifyAdapter {
  return new FastifyAdapter({
    loggerInstance: logger as unknown as FastifyBaseLogger,
    // request-log.plugin.ts writes the one line of each request.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: sameLogger,
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
