import type { FastifyRequest } from 'fastify';

/** The context of every GraphQL resolver. */
export interface GraphqlContext {
  readonly req: FastifyRequest;
}
