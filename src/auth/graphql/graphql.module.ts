import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Logger, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { logFailure } from '../../common/error-response.js';
import type { GraphqlContext } from '../caller.js';
import { formatError, isUnexpected, ours } from './graphql-errors.js';
import { GRAPHQL_PATH, markWellFormed } from './graphql-route.js';
import { oncePerOperation, sizeLimit, TOKENS_MAX } from './query-limits.js';

/** Watches over every request; documents and variables are not logged, for there are keys and tokens in them. */
const watch: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveSource: ({ contextValue }) => {
        markWellFormed(contextValue.req);
        return Promise.resolve();
      },
      didEncounterErrors: ({ contextValue, errors }) => {
        for (const error of errors.filter(isUnexpected)) {
          logFailure(ours(error), contextValue.req);
        }
        return Promise.resolve();
      },
    }),
};

const log = new Logger('GraphQL');

/**
 * The GraphQL interface: its schema is made of the resolvers of all rooms. The schema is public, so it may be asked for;
 * what one request can cost is limited instead.
 *
 * Source: specification 5; contract T1, A1 to A4.
 */
export function graphqlModule(): DynamicModule {
  return GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    path: GRAPHQL_PATH,
    autoSchemaFile: true,
    sortSchema: true,
    context: (req: GraphqlContext['req']): GraphqlContext => ({ req }),
    introspection: true,
    graphiql: false,
    // What protects from other people's web pages is said in graphql-route.ts; a plain GET may then be sent by any tool.
    csrfPrevention: false,
    // It ends when all requests have; sooner, it would cut off those that run for another ten seconds, of every room.
    stopOnApplicationShutdown: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    formatError,
    parseOptions: { maxTokens: TOKENS_MAX },
    validationRules: [sizeLimit, oncePerOperation('obtainServiceToken')],
    plugins: [watch],
    logger: {
      debug: (message: unknown) => {
        log.debug(message);
      },
      info: (message: unknown) => {
        log.log(message);
      },
      warn: (message: unknown) => {
        log.warn(message);
      },
      error: (message: unknown) => {
        log.error(message);
      },
    },
  });
}
