/**
 * The tutorial: the same endpoints in NestJS and TypeORM as tutorials write them. A guard looks up the token, the
 * ValidationPipe validates decorated classes, entities have relations, and each item is found and saved on its own inside
 * one transaction.
 *
 * It has the rules for duplicates and for the open period, with two exceptions that make it faster: a known statement is not
 * compared with the stored one, and a repeated id within a request is not an error. It has the indexes that its look-ups
 * need, no log, and the faster of the framework's two HTTP adapters.
 */
import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataImportController } from './data-import.controller.js';
import { DataImportService } from './data-import.service.js';
import { ENTITIES, Token } from './entities.js';

const POOL_MAX = 10;
const BODY_LIMIT_BYTES = 10 * 1_024 * 1_024;

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL ?? '',
      entities: ENTITIES,
      synchronize: true,
      poolSize: POOL_MAX,
    }),
    TypeOrmModule.forFeature([Token]),
  ],
  controllers: [DataImportController],
  providers: [DataImportService],
})
class TutorialModule {}

const adapter = new FastifyAdapter({
  bodyLimit: BODY_LIMIT_BYTES,
  routerOptions: { ignoreTrailingSlash: true },
});
const app = await NestFactory.create<NestFastifyApplication>(TutorialModule, adapter, {
  logger: ['error', 'warn'],
});
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.stdout.write(`Listening on ${await app.getUrl()}\n`);
