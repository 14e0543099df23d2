import type { LazyModuleLoader } from '@nestjs/core';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/** A second after the process listens it has told that it is ready, and few clients need a token that early. */
const LOADED_AFTER_MS = 1_000;

/**
 * The handler of the GraphQL route. Its packages and its schema take a fifth of the start of a process, so they are loaded shortly after
 * it listens, or by an earlier request. Nest's loader makes the module with the services that are there.
 */
export function lateGraphql(
  instance: FastifyInstance,
  modules: LazyModuleLoader,
): () => Promise<RouteHandlerMethod> {
  let loading: Promise<RouteHandlerMethod> | undefined;
  const handler = (): Promise<RouteHandlerMethod> => (loading ??= load(modules));
  let timer: NodeJS.Timeout | undefined;
  instance.addHook('onListen', (done) => {
    timer = setTimeout(() => {
      handler().catch((error: unknown) => {
        instance.log.error(error, 'The GraphQL interface cannot be loaded.');
      });
    }, LOADED_AFTER_MS).unref();
    done();
  });
  instance.addHook('onClose', (_instance, done) => {
    clearTimeout(timer);
    done();
  });
  return handler;
}

async function load(modules: LazyModuleLoader): Promise<RouteHandlerMethod> {
  // One after the other: Node.js refuses a package that requires another while that is being imported.
  const { GraphqlModule, HandlerDriver } = await import('./graphql.module.js');
  const { GraphQLModule } = await import('@nestjs/graphql');
  const module = (await modules.load(() => GraphqlModule)).get(GraphQLModule, { strict: false });
  // The loader calls no hook of a module.
  await module.onModuleInit();
  const { graphQlAdapter } = module;
  if (!(graphQlAdapter instanceof HandlerDriver)) throw new Error('The GraphQL module has another driver.');
  return graphQlAdapter.handler;
}
