import { readFileSync } from 'node:fs';
import type { Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { AppModule } from './app.module.js';
import { ERRORS, FIELD_ERRORS } from './common/errors.js';
import { publishInputs } from './common/validation/published-inputs.js';
import { readEnvironment } from './config/env.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/** One published description of the interface: its name in the folder contract/, and its text. */
export interface ContractFile {
  readonly name: 'openapi.json' | 'schema.graphql';
  readonly text: string;
}

/**
 * Describe both interfaces from the very classes that serve them. Nothing is started and no database is needed.
 *
 * @returns one file for each interface that there is
 */
export async function describeContract(): Promise<ContractFile[]> {
  const app = await NestFactory.create(
    AppModule.with(readEnvironment({}), 'postgres://nowhere/'),
    new FastifyAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  publishInputs();
  const openApi = `${JSON.stringify(completed(SwaggerModule.createDocument(app, heading())), null, 2)}\n`;
  const graphQl = await graphQlSchema(resolversOf(app.get(ModulesContainer)));
  return [
    { name: 'openapi.json', text: openApi },
    ...(graphQl === undefined ? [] : [{ name: 'schema.graphql' as const, text: graphQl }]),
  ];
}

/** Name of the scheme in the document; the header itself is specification 5 (3). */
const SECURITY_SCHEME = 'Token';

function heading(): Omit<OpenAPIObject, 'paths'> {
  const { description, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  return new DocumentBuilder()
    .setTitle('Account data import')
    .setDescription(
      `${description ?? ''}. Every answer carries an X-Request-Id; the error codes are explained in docs/errors.md.`,
    )
    .setVersion(version ?? '')
    .addServer('http://127.0.0.1:3000')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The word Token, a space, and the token.',
      },
      SECURITY_SCHEME,
    )
    .addSecurityRequirements(SECURITY_SCHEME)
    .build();
}

/** What the framework leaves out: trailing slashes, errors, and that undocumented fields are refused. */
function completed(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    for (const operation of [item.get, item.post]) if (operation) addErrors(operation);
    return [path.endsWith('/') ? path : `${path}/`, item];
  });
  const schemas = document.components?.schemas ?? {};
  for (const operation of Object.values(document.paths).map(({ post }) => post))
    closePayload(operation, schemas);
  const all = Object.entries({ ...schemas, Error: ERROR_SCHEMA }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return {
    ...document,
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    components: { ...document.components, schemas: Object.fromEntries(all) },
  };
}

const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['detail', 'code', 'errors'],
  properties: {
    detail: { type: 'string', description: 'For people; its wording may change.' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['detail', 'code', 'attr'],
        properties: {
          detail: { type: 'string', description: 'For people; its wording may change.' },
          code: { type: 'string', enum: Object.keys(FIELD_ERRORS) },
          attr: { type: 'string', description: 'Dot-delimited path to the offending input.' },
        },
      },
    },
  },
};

/** Errors that only a request with a body can have. */
const OF_BODIES = new Set([413, 415]);
/** Told for another address, so no documented operation answers it. */
const OF_OTHER_ADDRESSES = new Set([405]);

function addErrors(operation: Operation): void {
  for (const status of new Set(Object.values(ERRORS).map((error) => error.status))) {
    if (OF_OTHER_ADDRESSES.has(status) || (OF_BODIES.has(status) && !operation.requestBody)) continue;
    const codes = Object.entries(ERRORS)
      .filter(([, error]) => error.status === status)
      .map(([code]) => code);
    operation.responses[String(status)] ??= {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
}

/** An undocumented field of a payload is refused, however deep it stands (contract T8). */
function closePayload(part: unknown, schemas: Schemas): void {
  for (const [, name] of JSON.stringify(requestBodyOf(part) ?? null).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  )) {
    const schema = schemas[name ?? ''] as Schema | undefined;
    if (schema === undefined || schema.additionalProperties === false) continue;
    schema.additionalProperties = false;
    closePayload({ requestBody: schema }, schemas);
  }
}

function requestBodyOf(part: unknown): unknown {
  return (part as { requestBody?: unknown } | undefined)?.requestBody;
}

/** The mark that the GraphQL package puts on a resolver class. */
const IS_RESOLVER = 'graphql:resolver_type';

function resolversOf(modules: ModulesContainer): Type[] {
  const providers = [...modules.values()].flatMap((module) => [...module.providers.values()]);
  const classes = providers.map(({ metatype }) => metatype as Type | null);
  return [...new Set(classes)].filter(
    (type): type is Type => typeof type === 'function' && Reflect.hasMetadata(IS_RESOLVER, type),
  );
}

async function graphQlSchema(resolvers: Type[]): Promise<string | undefined> {
  if (resolvers.length === 0) return undefined;
  const builder = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  const schema = await builder.get(GraphQLSchemaFactory).create(resolvers);
  await builder.close();
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
