import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Logger, Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { RouteHandlerMethod } from 'fastify';
import { AuthModule } from '../../../auth/auth.module.js';
import { AuthResolver } from '../../../auth/auth.resolver.js';
import { formatError, isServerError, toServerError } from '../../../auth/graphql/format-error.js';
import type { GraphqlContext } from '../../../auth/graphql/graphql-context.js';
import { GRAPHQL_PATH, markWellFormed } from '../../../auth/graphql/graphql-route.js';
import { oncePerOperation, sizeLimit, TOKENS_MAX } from '../../../auth/graphql/query-limits.js';
import { logError } from '../../../infrastructure/log/log-error.js';
import { ImportSuppliersModule } from '../../../import-suppliers/import-suppliers.module.js';
import { TokenOwnerResolver } from '../../../import-suppliers/token-owner.resolver.js';

/** Every resolver of the GraphQL API. */
export const RESOLVERS = [AuthResolver, TokenOwnerResolver];

/**
 * Marks requests whose document can be parsed, and logs the service's errors. It never logs documents or variables, because they
 * contain keys and tokens.
 */
const markAndLogRequests: ApolloServerPlugin<GraphqlContext> = {
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

const contextOf = (req: GraphqlContext['req']): Promise<GraphqlContext> => Promise.resolve({ req });

/** Apollo without its own route: no route can be added once the service listens, so graphql-route.ts adds it earlier. */
export class HandlerDriver extends ApolloDriver {
  handler: RouteHandlerMethod;

  protected override async registerFastify(options: ApolloDriverConfig): Promise<void> {
    this.apolloServer = new ApolloServer(options as ConstructorParameters<typeof ApolloServer>[0]);
    await this.apolloServer.start();
    this.handler = fastifyApolloHandler(this.apolloServer, { context: contextOf });
  }
}

/**
 * The schema is generated from the resolvers. It is public, so introspection is allowed. query-limits.ts limits the cost of one request.
 *
 * Source: specification 5; choices T1, A1 to A4.
 */
const OPTIONS: ApolloDriverConfig = {
  driver: HandlerDriver,
  path: GRAPHQL_PATH,
  autoSchemaFile: true,
  sortSchema: true,
  introspection: true,
  graphiql: false,
  // graphql-route.ts explains why cross-site requests are harmless. With prevention off, any tool can send a plain GET.
  csrfPrevention: false,
  allowBatchedHttpRequests: false,
  persistedQueries: false,
  // Apollo would cache documents, up to 30 MiB by its own estimate. They contain the API keys that callers write into them.
  documentStore: null,
  includeStacktraceInErrorResponses: false,
  autoTransformHttpErrors: false,
  formatError,
  parseOptions: { maxTokens: TOKENS_MAX },
  validationRules: [sizeLimit, ...['obtainServiceToken', 'forceReauthentication'].map(oncePerOperation)],
  plugins: [markAndLogRequests],
  logger: Object.assign(log, {
    info: (message: unknown) => {
      log.log(message);
    },
  }),
};

/** The GraphQL API, loaded after the service starts to listen (late-graphql.ts). */
@Module({
  imports: [GraphQLModule.forRoot(OPTIONS), AuthModule, ImportSuppliersModule],
  providers: RESOLVERS,
})
export class GraphqlModule {}
