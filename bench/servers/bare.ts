/**
 * The limit for `--burst`: a bare HTTP server that decides about a request from its headers and otherwise does nothing.
 * It accepts as many POSTs at a time as the service does from a caller, reads their bodies without looking at them and
 * answers after a while, and answers 503 to the others. Every GET is answered at once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ACCEPTED_MAX = 64;
/** How long an accepted request takes, about as long as in the service. */
const ANSWER_MS = 400;
/** Refused requests that are told to return in the same second. */
const RETURNING_PER_SECOND = ACCEPTED_MAX / (ANSWER_MS / 1_000);

let accepted = 0;
let refused = 0;

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method !== 'POST') {
    response.end('{"status":"COMPLETED"}');
    return;
  }
  request.resume();
  if (accepted === ACCEPTED_MAX) {
    refused += 1;
    response.setHeader('retry-after', Math.ceil(refused / RETURNING_PER_SECOND));
    response.writeHead(503).end('{}');
    return;
  }
  accepted += 1;
  response.once('close', () => {
    accepted -= 1;
  });
  request.once('end', () => {
    setTimeout(() => response.writeHead(201).end('{}'), ANSWER_MS);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
