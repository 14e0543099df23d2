import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { NOBODY, type Amounts, type Budget, type Holding, type Resource } from '../../budget/budget.js';
import type { HoldsConfig } from '../../budget/holds.js';
import { requesterOf, type AuthenticatedRequest } from '../../auth/caller.js';
import type { Environment } from '../../config/settings.js';
import { holderOf, type ConsoleRequest } from '../../console/viewers/viewer.js';
import type { ImportRouteConfig } from '../../imports/import-route.js';
import { addRouteHook, isPage, isPublic } from './route-hooks.js';

/** What an answer has in memory at most, unless its route says otherwise. */
const ANSWER_BYTES = 65_536;
/** A page, or what a download in pieces has in memory. */
const PAGE_BYTES = 1_048_576;
/** An answer with fewer bytes is in the buffers of the operating system when it is sent, which every connection has. */
const READ_BYTES_MIN = 65_536;

/** What is held until the answer is ready; the rest is held until the client has read it. */
const UNTIL_READY: ReadonlySet<Resource> = new Set(['imports', 'import_bytes', 'pages', 'searches']);

const HELD = Symbol('what is held of a connection or for a response');

/** What is held for one answer, and how far it is. */
interface HeldAnswer {
  readonly request: FastifyRequest;
  readonly response: ServerResponse;
  readonly holding: Holding;
  /** It was handed over to be sent. */
  isReady: boolean;
  /** The service has ended its work on it. */
  isDone: boolean;
  /** Everything was sent, or nobody is there any more. */
  isClosed: boolean;
}

/** A connection with its holder, the answers that are not closed, and what is held for one that was sent but perhaps not read. */
export type HeldSocket = Socket & {
  [HELD]?: {
    name: string;
    holding: Holding;
    readonly answers: Set<HeldAnswer>;
    unread?: Holding | undefined;
  };
};

/** Functions that serve all responses cost less than closures of each. */
type HeldResponse = ServerResponse & { [HELD]?: HeldAnswer };

/**
 * Counts what each authenticated request holds, and refuses one whose organisation or platform key has too much, before its body is read.
 *
 * What a request works with is held until its answer is ready, also when its client leaves meanwhile: the service goes on with it, so
 * a client that disconnects and returns gains nothing. Only of a body that will not be complete nothing is to come.
 *
 * Source: choice T18.
 */
export function budgetPlugin(
  instance: FastifyInstance,
  budget: Budget,
  { BODY_LIMIT_BYTES }: Pick<Environment, 'BODY_LIMIT_BYTES'>,
): void {
  const hasHolder = (route: RouteOptions): boolean => isPage(route) || !isPublic(route);
  addRouteHook(
    instance,
    'onRequest',
    hasHolder,
    (request: AuthenticatedRequest & ConsoleRequest, reply, done) => {
      const { viewer, raw } = request;
      const holder = requesterOf(request) ?? (viewer && holderOf(viewer));
      // Of a request whose client has left the body never arrives.
      if (holder === undefined || raw.destroyed || raw.socket.destroyed) {
        done();
        return;
      }
      try {
        claimConnection(reply.raw, raw.socket, budget, holder);
        const holding = budget.admit(holder, wantedBy(request, viewer !== undefined, BODY_LIMIT_BYTES));
        const response: HeldResponse = reply.raw;
        const answer = { request, response, holding, isReady: false, isDone: false, isClosed: false };
        response[HELD] = answer;
        response.once('close', responseClosed);
        (raw.socket as HeldSocket)[HELD]?.answers.add(answer);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  );
  instance.addHook('onRoute', (route) => {
    route.handler = endingAnswer(route.handler);
  });
  instance.addHook('onSend', (_request, reply, payload, done) => {
    const answer = (reply.raw as HeldResponse)[HELD];
    if (answer) {
      answer.isReady = true;
      answer.holding.release(answer.isClosed ? undefined : UNTIL_READY);
      if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
        answer.holding.resize('answer_bytes', payload.length);
      }
    }
    done();
  });
}

/** Of an answer whose client has left, what was made is not always handed over. */
function endingAnswer(handler: RouteOptions['handler']): RouteOptions['handler'] {
  return function (request, reply) {
    const result: unknown = handler.call(this, request, reply);
    const answer = (reply.raw as HeldResponse)[HELD];
    if (answer && result instanceof Promise) {
      const end = (): void => {
        answer.isDone = true;
        if (answer.isClosed) answer.holding.release();
      };
      result.then(end, end);
    }
    return result;
  };
}

/** A connection of which nobody is known to be the holder. @returns whether there is one more to have */
export function openConnection(socket: HeldSocket, budget: Budget): boolean {
  if (budget.allotments.connections.usedShare >= 1) return false;
  socket[HELD] = { name: NOBODY, holding: budget.hold(NOBODY, { connections: 1 }), answers: new Set() };
  socket.once('close', connectionClosed);
  return true;
}

/** The client has acknowledged every byte that was sent on a connection. */
export function everythingIsRead(socket: HeldSocket): void {
  const held = socket[HELD];
  if (!held?.unread) return;
  held.unread.release();
  held.unread = undefined;
}

/** Whether an answer was sent of which it is not known that it was read. */
export function isUnread(socket: HeldSocket): boolean {
  return socket[HELD]?.unread !== undefined;
}

/** A connection is held by the organisation of its latest request. */
function claimConnection(response: ServerResponse, socket: HeldSocket, budget: Budget, name: string): void {
  // A client sends its next request when it has read the answer to the one before.
  everythingIsRead(socket);
  const held = socket[HELD];
  if (!held || held.name === name) return;
  // Unless it is admitted, it is closed after the answer.
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const holding = budget.admit(name, { connections: 1 });
  response.shouldKeepAlive = shouldKeepAlive;
  held.holding.release();
  [held.name, held.holding] = [name, holding];
}

function wantedBy(request: FastifyRequest, isPage: boolean, bodyLimitBytes: number): Amounts {
  const { importKind, holds } = request.routeOptions.config as ImportRouteConfig & HoldsConfig;
  if (importKind !== undefined) {
    const length = Number(request.headers['content-length']);
    // A body that does not state its length counts as the largest.
    const bodyBytes = length <= bodyLimitBytes ? length : bodyLimitBytes;
    return { imports: 1, import_bytes: bodyBytes, answers: 1, answer_bytes: ANSWER_BYTES };
  }
  const kind = isPage && !holds ? { pages: 1, answer_bytes: PAGE_BYTES } : undefined;
  return { answers: 1, answer_bytes: ANSWER_BYTES, ...kind, ...holds };
}

function connectionClosed(this: HeldSocket): void {
  const held = this[HELD];
  everythingIsRead(this);
  held?.holding.release();
  // Node.js closes only the first response of a connection. Whoever waits for the end of another one would do so for ever.
  for (const { response } of held?.answers ?? []) {
    if (!response.socket) Object.assign(response, { destroyed: true, _closed: true }).emit('close');
  }
}

function responseClosed(this: HeldResponse): void {
  const answer = this[HELD];
  if (!answer) return;
  const { request, holding, isReady, isDone } = answer;
  const socket: HeldSocket = request.raw.socket;
  const connection = socket[HELD];
  answer.isClosed = true;
  connection?.answers.delete(answer);
  // The service goes on with a request that is complete.
  if (!isReady && !isDone && request.raw.complete) return;
  if (connection && !socket.destroyed && holding.amountOf('answer_bytes') >= READ_BYTES_MIN) {
    connection.unread?.release();
    connection.unread = holding;
  } else {
    holding.release();
  }
}
