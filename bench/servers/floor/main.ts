/**
 * The floor: what the same endpoints cost when nothing but speed counts. Raw Fastify, its own compiled JSON schema, one
 * named statement a request in which the token is looked up, the account found, the open period kept and everything
 * stored or found to be there already.
 *
 * It is meant to be honest, not complete. It validates every field and answers what the service does. It has one
 * organisation a supplier, reports the first error only, knows no query parameters, no dry run, no log, no record of loads;
 * it stores neither the day that was sent beside a moved one nor the note that explains it, and asks neither whether a
 * period ends after it begins nor for how many digits a number has. A request that is wrong is refused before anybody
 * looks at its token. All of that makes it quicker.
 */
import Fastify, { type RouteHandlerMethod } from 'fastify';
import { announce, answerOf, BODIES, ENDPOINTS, JSON_TYPE, PREFIX, SERVER_OPTIONS } from './endpoints.js';

const { book, attach, keep, status, all, pending, imported } = ENDPOINTS;

const app = Fastify(SERVER_OPTIONS);
app.setErrorHandler((error: Error, _request, reply) => {
  const answer = answerOf(error);
  return reply.status(answer.status).send(answer.body);
});
app.addHook('preHandler', (request, reply, next) => {
  if (request.method === 'POST') void reply.status(201);
  next();
});

function post(path: string, handler: RouteHandlerMethod): void {
  app.post(PREFIX + path, { schema: { body: BODIES[path] } }, handler);
}

function list(path: string, handler: (request: Parameters<typeof all>[0]) => Promise<string>): void {
  app.get(PREFIX + path, (request, reply) => {
    void reply.type(JSON_TYPE);
    return handler(request);
  });
}

post('/transactions/create', book);
post('/notes/create', attach);
post('/historical-statements/create', keep);
app.get(`${PREFIX}/account-transfer-status/:supplier/:account`, status);
list('/all-account-import-processes/:supplier', all);
list('/pending-account-import-processes/:supplier', pending);
list('/imported-account-import-processes/:supplier', imported);

announce(await app.listen({ port: 0, host: '127.0.0.1' }), () => app.close());
