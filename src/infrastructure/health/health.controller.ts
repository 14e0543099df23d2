import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiExcludeController } from '../validation/openapi.js';
import type { FastifyReply } from 'fastify';
import { Public } from '../routes/public.js';
import { AddRouteConfig } from '../routes/route-config.js';
import { HealthService } from './health.service.js';
import { LIVE, type Readiness } from './health.types.js';

/** For probes of load balancers and process managers; not a part of the public API. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Whether the process answers (choice O1). */
  @Get('live')
  @Public()
  @AddRouteConfig({ logLevel: 'debug' })
  live(): typeof LIVE {
    return LIVE;
  }

  /** Whether the process accepts requests (choices O1, O4). */
  @Get('ready')
  @Public()
  @AddRouteConfig({ logLevel: 'debug' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    reply.status(readiness.status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
