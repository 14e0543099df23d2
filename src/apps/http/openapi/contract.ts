import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { AppModule } from '../../../app.module.js';
import { loadSwagger } from '../../../infrastructure/validation/openapi.js';
import { readEnvironment } from '../../../infrastructure/config/env.js';
import { CATALOGUE_SEED } from '../../../infrastructure/database/migrations/catalogue-seed.js';
import { feedSchemas } from '../../../capabilities/feed/changes.schemas.js';
import { RESOLVERS } from '../graphql/graphql.module.js';
import { heading, platformHeading } from './open-api-info.js';
import { completed, withoutUnused } from './open-api.js';

/** One published description of an interface: its file name in contract/, and its text. */
export interface ContractFile {
  readonly name: 'openapi.json' | 'platform.json' | 'schema.graphql';
  readonly text: string;
}

/**
 * Describe the interfaces from the classes that serve them. Nothing is started and no database is needed.
 *
 * @returns one file for each interface
 */
export async function describeContract(): Promise<ContractFile[]> {
  const defaults = readEnvironment({});
  const app = await NestFactory.create(
    AppModule.with(defaults, 'postgres://nowhere/'),
    new FastifyAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  const { SwaggerModule } = await loadSwagger();
  const suppliers = SwaggerModule.createDocument(app, heading(defaults));
  const platform = SwaggerModule.createDocument(app, platformHeading(defaults));
  for (const path of Object.keys(suppliers.paths)) {
    const { paths } = path.startsWith(PLATFORM) ? suppliers : platform;
    Reflect.deleteProperty(paths, path);
  }
  platform.components = { ...platform.components, schemas: feedSchemas() };
  const graphQl = await graphQlSchema();
  return [
    { name: 'openapi.json', text: textOf(completed(suppliers, CATALOGUE_SEED)) },
    { name: 'platform.json', text: textOf(withoutUnused(completed(platform, {}))) },
    { name: 'schema.graphql', text: graphQl },
  ];
}

/** The prefix of the platform's paths, which have their own document (choice E1). */
const PLATFORM = '/v1/platform/';

function textOf(document: OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function graphQlSchema(): Promise<string> {
  const builder = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  const schema = await builder.get(GraphQLSchemaFactory).create(RESOLVERS);
  await builder.close();
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
