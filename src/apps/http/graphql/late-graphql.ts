import type { LazyModuleLoader } from '@nestjs/core';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/** One second after the process starts to listen, its probe has reported it ready, and few clients need a token that early. */
const LOADED_AFTER_MS = 1_000;

/**
 * The handler of the GraphQL route. Loading its packages and schema takes a fifth of a process's start time, so they are loaded shortly
 * after the process starts to listen, or by a request that comes earlier. Nest's loader gives the module the existing services.
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
  // Import one after the other: Node.js refuses a package that requires another package while that one is being imported.
  const { GraphqlModule, HandlerDriver } = await import('./graphql.module.js');
  const { GraphQLModule } = await import('@nestjs/graphql');
  const module = (await modules.load(() => GraphqlModule)).get(GraphQLModule, { strict: false });
  // The loader does not call a module's lifecycle hooks.
  await module.onModuleInit();
  const { graphQlAdapter } = module;
  if (!(graphQlAdapter instanceof HandlerDriver)) throw new Error('The GraphQL module has another driver.');
  return graphQlAdapter.handler;
}
