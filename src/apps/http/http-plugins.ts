import { Inject, Injectable, Optional } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AuthService } from '../../auth/auth.service.js';
import { GRAPHQL_PATH, graphqlRoutePlugin } from '../../auth/graphql/graphql-route.js';
import { RequestLimitService } from '../../auth/request-limit.service.js';
import { RefusalsService } from '../../capabilities/request-log/refusals/refusals.service.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { ENVIRONMENT } from '../../infrastructure/config/config.module.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { HealthService } from '../../infrastructure/health/health.service.js';
import { Budget } from '../../infrastructure/limits/budget.js';
import { originOf } from '../../infrastructure/log/request-origin.js';
import { ConsoleServices } from '../console/console-services.js';
import { lateGraphql } from './graphql/late-graphql.js';
import { accessPlugin } from './plugins/access.plugin.js';
import { authenticationPlugin } from './plugins/authentication.plugin.js';
import { bodyPlugin } from './plugins/body.plugin.js';
import { budgetPlugin } from './plugins/budget.plugin.js';
import { connectionsPlugin } from './plugins/connections.plugin.js';
import { consolePlugin } from './plugins/console.plugin.js';
import { docsPlugin } from './plugins/docs.plugin.js';
import { dryRunPlugin } from './plugins/dry-run.plugin.js';
import { homeOf } from './plugins/home.js';
import { pressurePlugin, type PressureLimits } from './plugins/pressure.plugin.js';
import { proxyHeadersPlugin } from './plugins/proxy-headers.plugin.js';
import { refusalsPlugin } from './plugins/refusals.plugin.js';
import { requestLimitPlugin } from './plugins/request-limit.plugin.js';
import { isPage } from './plugins/route-hooks.js';
import type { RouteTable } from './plugins/route-table.js';
import { routingErrorsPlugin } from './plugins/routing-errors.plugin.js';

/** The plugins of Fastify that use services. */
@Injectable()
export class HttpPlugins {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly health: HealthService,
    private readonly budget: Budget,
    private readonly auth: AuthService,
    private readonly requestLimit: RequestLimitService,
    private readonly suppliers: ImportSuppliersService,
    private readonly refusals: RefusalsService,
    private readonly modules: LazyModuleLoader,
    @Optional() private readonly console?: ConsoleServices,
  ) {}

  /** Register them in the order in which they act on a request (choice T10). */
  async register(instance: FastifyInstance, routes: RouteTable, pressure?: PressureLimits): Promise<void> {
    const { environment, auth } = this;
    connectionsPlugin(instance, this.health);
    await pressurePlugin(instance, this.budget, pressure);
    const pages = this.console && (await consolePlugin(instance, this.console));
    routingErrorsPlugin(instance, routes, { home: homeOf(environment), prepare: pages });
    proxyHeadersPlugin(instance, (route) => isPage(route) || route.url === GRAPHQL_PATH);
    refusalsPlugin(instance, this.refusals);
    dryRunPlugin(instance);
    authenticationPlugin(instance, auth);
    const open = budgetPlugin(instance, this.budget, environment);
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
