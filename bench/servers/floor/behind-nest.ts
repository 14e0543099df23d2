/**
 * The floor's own endpoints behind a NestJS controller and nothing else: the cost of the framework itself. Requests are
 * still validated by Fastify, before Nest receives them.
 */
import 'reflect-metadata';
import { Catch, Controller, Get, Header, Module, Post, Req, type ArgumentsHost } from '@nestjs/common';
import type { ExceptionFilter } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BODY_SCHEMAS } from './body-schemas.js';
import { announce, errorAnswer, ENDPOINTS, JSON_TYPE, PREFIX, SERVER_OPTIONS } from './endpoints.js';

@Controller(PREFIX)
class FloorController {
  @Post('transactions/create')
  createTransactions(@Req() request: FastifyRequest): Promise<object> {
    return ENDPOINTS.createTransactions(request);
  }

  @Post('notes/create')
  createNotes(@Req() request: FastifyRequest): Promise<object> {
    return ENDPOINTS.createNotes(request);
  }

  @Post('historical-statements/create')
  createStatements(@Req() request: FastifyRequest): Promise<object> {
    return ENDPOINTS.createStatements(request);
  }

  @Get('account-transfer-status/:supplier/:account')
  status(@Req() request: FastifyRequest): Promise<object> {
    return ENDPOINTS.status(request);
  }

  @Get('all-account-import-processes/:supplier')
  @Header('content-type', JSON_TYPE)
  all(@Req() request: FastifyRequest): Promise<string> {
    return ENDPOINTS.all(request);
  }

  @Get('pending-account-import-processes/:supplier')
  @Header('content-type', JSON_TYPE)
  pending(@Req() request: FastifyRequest): Promise<string> {
    return ENDPOINTS.pending(request);
  }

  @Get('imported-account-import-processes/:supplier')
  @Header('content-type', JSON_TYPE)
  imported(@Req() request: FastifyRequest): Promise<string> {
    return ENDPOINTS.imported(request);
  }
}

@Catch()
class FloorFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    const { status, body } = errorAnswer(error);
    void host.switchToHttp().getResponse<FastifyReply>().status(status).send(body);
  }
}

@Module({ controllers: [FloorController] })
class FloorModule {}

const adapter = new FastifyAdapter(SERVER_OPTIONS as object);
adapter.getInstance<FastifyInstance>().addHook('onRoute', (route) => {
  const body = BODY_SCHEMAS[route.url.slice(PREFIX.length)];
  if (body) route.schema = { body };
});
const app = await NestFactory.create<NestFastifyApplication>(FloorModule, adapter, { logger: ['error'] });
app.useGlobalFilters(new FloorFilter());
await app.listen(0, '127.0.0.1');
announce(await app.getUrl(), () => app.close());
