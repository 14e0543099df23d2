/**
 * The floor: the cost of the same endpoints when only speed matters. Raw Fastify, its own compiled JSON schema, and one
 * named query a request, which looks up the token, finds the account, moves dates into the open period and stores what
 * is new.
 *
 * It validates every field and gives the same answers as the service, but it is not complete: a supplier has one
 * organisation; only the first error is reported; there are no query parameters, no log and no record of import requests;
 * of a moved transaction neither the original date nor the pinned note is stored; the order of the two dates of a period and
 * the digits of numbers are not checked; an invalid request is answered before its token is looked up. All of these make
 * it faster.
 */
import Fastify, { type RouteHandlerMethod } from 'fastify';
import { BODY_SCHEMAS } from './body-schemas.js';
import { announce, errorAnswer, ENDPOINTS, JSON_TYPE, PREFIX, SERVER_OPTIONS } from './endpoints.js';

const { createTransactions, createNotes, createStatements, status, all, pending, imported } = ENDPOINTS;

const app = Fastify(SERVER_OPTIONS);
app.setErrorHandler((error: Error, _request, reply) => {
  const answer = errorAnswer(error);
  return reply.status(answer.status).send(answer.body);
});
app.addHook('preHandler', (request, reply, next) => {
  if (request.method === 'POST') void reply.status(201);
  next();
});

function post(path: string, handler: RouteHandlerMethod): void {
  app.post(PREFIX + path, { schema: { body: BODY_SCHEMAS[path] } }, handler);
}

function list(path: string, handler: (request: Parameters<typeof all>[0]) => Promise<string>): void {
  app.get(PREFIX + path, (request, reply) => {
    void reply.type(JSON_TYPE);
    return handler(request);
  });
}

post('/transactions/create', createTransactions);
post('/notes/create', createNotes);
post('/historical-statements/create', createStatements);
app.get(`${PREFIX}/account-transfer-status/:supplier/:account`, status);
list('/all-account-import-processes/:supplier', all);
list('/pending-account-import-processes/:supplier', pending);
list('/imported-account-import-processes/:supplier', imported);

announce(await app.listen({ port: 0, host: '127.0.0.1' }), () => app.close());
