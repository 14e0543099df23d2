import { Inject, Injectable, Optional } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AuthService } from '../../../auth/auth.service.js';
import { GRAPHQL_PATH, graphqlRoutePlugin } from '../../../auth/graphql/graphql-route.js';
import { RequestLimitService } from '../../../auth/request-limit.service.js';
import { RefusalsService } from '../../../capabilities/request-log/refusals/refusals.service.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { HealthService } from '../../../infrastructure/health/health.service.js';
import { Budget } from '../../../infrastructure/limits/budget.js';
import { originOf } from '../../../infrastructure/log/request-origin.js';
import { MetricsRegistry } from '../../../infrastructure/metrics/metrics.registry.js';
import { lateGraphql } from '../graphql/late-graphql.js';
import { accessPlugin } from './access.plugin.js';
import { answerHeadersPlugin } from './answer-headers.plugin.js';
import { authenticationPlugin } from './authentication.plugin.js';
import { bodyPlugin } from './body.plugin.js';
import { budgetPlugin } from './budget.plugin.js';
import { connectionsPlugin } from './connections.plugin.js';
import { ConsolePlugin } from './console.plugin.js';
import { docsPlugin } from './docs.plugin.js';
import { dryRunPlugin } from './dry-run.plugin.js';
import { homeOf } from './home.js';
import { pressurePlugin, type PressureLimits } from './pressure.plugin.js';
import { proxyHeadersPlugin } from './proxy-headers.plugin.js';
import { refusalsPlugin } from './refusals.plugin.js';
import { requestLimitPlugin } from './request-limit.plugin.js';
import { requestLogPlugin } from './request-log.plugin.js';
import { isPage } from './route-hooks.js';
import type { RouteTable } from './route-table.js';
import { routingErrorsPlugin } from './routing-errors.plugin.js';

/** The plugins of the HTTP server, with the services that they call. */
@Injectable()
export class HttpPlugins {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly metrics: MetricsRegistry,
    private readonly health: HealthService,
    private readonly budget: Budget,
    private readonly auth: AuthService,
    private readonly requestLimit: RequestLimitService,
    private readonly suppliers: ImportSuppliersService,
    private readonly refusals: RefusalsService,
    private readonly modules: LazyModuleLoader,
    @Optional() private readonly consolePlugin?: ConsolePlugin,
  ) {}

  /** Register the plugins in the order in which they act on a request (choice T10). */
  async register(instance: FastifyInstance, routes: RouteTable, pressure?: PressureLimits): Promise<void> {
    const { environment, health, budget, auth } = this;
    requestLogPlugin(instance);
    answerHeadersPlugin(instance);
    if (environment.METRICS_PORT !== undefined) await this.metrics.make();
    connectionsPlugin(instance, health);
    await pressurePlugin(instance, budget, pressure);
    const prepare = await this.consolePlugin?.register(instance);
    routingErrorsPlugin(instance, routes, { home: homeOf(environment), prepare });
    proxyHeadersPlugin(instance, (route) => isPage(route) || route.url === GRAPHQL_PATH);
    refusalsPlugin(instance, this.refusals);
    dryRunPlugin(instance);
    authenticationPlugin(instance, auth);
    const open = budgetPlugin(instance, budget, environment);
    accessPlugin(instance, open, auth, this.suppliers);
    if (environment.REQUESTS_PER_MINUTE !== undefined) requestLimitPlugin(instance, this.requestLimit);
    bodyPlugin(instance, environment);
    graphqlRoutePlugin(
      instance,
      environment.BODY_LIMIT_BYTES,
      lateGraphql(instance, this.modules),
      (request) => auth.authenticate(request.headers.authorization, originOf(request)),
    );
    if (environment.DOCS === 'on') docsPlugin(instance);
  }
}
