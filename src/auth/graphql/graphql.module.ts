import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Logger, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { logError } from '../../common/log-error.js';
import type { GraphqlContext } from './graphql-context.js';
import { formatError, isServerError, toServerError } from './graphql-errors.js';
import { GRAPHQL_PATH, markWellFormed } from './graphql-route.js';
import { oncePerOperation, sizeLimit, TOKENS_MAX } from './query-limits.js';

/** Logs the errors of the service; never documents or variables, because they contain keys and tokens. */
const requestPlugin: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveSource: ({ contextValue }) => {
        markWellFormed(contextValue.req);
        return Promise.resolve();
      },
      didEncounterErrors: ({ contextValue, errors }) => {
        for (const error of errors.filter(isServerError)) logError(toServerError(error), contextValue.req);
        return Promise.resolve();
      },
    }),
};

const log = new Logger('GraphQL');

/**
 * The GraphQL interface; its schema is generated from the resolvers of all modules. The schema is public, so introspection
 * is allowed; query-limits.ts limits what one request can cost.
 *
 * Source: specification 5; choices T1, A1 to A4.
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
    // graphql-route.ts explains why cross-site requests are harmless. Without it any tool can send a plain GET.
    csrfPrevention: false,
    // Apollo stops when all requests have ended; on the signal itself it would close their connections after ten seconds.
    stopOnApplicationShutdown: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    // Apollo would keep 30 MiB of documents, as it counts them, and with them the API keys that callers write into them.
    documentStore: null,
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    formatError,
    parseOptions: { maxTokens: TOKENS_MAX },
    validationRules: [sizeLimit, ...['obtainServiceToken', 'forceReauthentication'].map(oncePerOperation)],
    plugins: [requestPlugin],
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
