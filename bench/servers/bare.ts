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
/** Refused requests return one after the other, at the rate at which accepted ones are answered. */
const RETURN_INTERVAL_MS = ANSWER_MS / ACCEPTED_MAX;

let accepted = 0;
let latestReturnMs = 0;

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method !== 'POST') {
    response.end('{"status":"COMPLETED"}');
    return;
  }
  request.resume();
  if (accepted === ACCEPTED_MAX) {
    const nowMs = performance.now();
    latestReturnMs = Math.max(latestReturnMs, nowMs) + RETURN_INTERVAL_MS;
    response.setHeader('retry-after', Math.ceil((latestReturnMs - nowMs) / 1_000));
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

server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
