import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const ENDS = Symbol('what is done when an answer ends');

type Act = (response: ServerResponse) => void;

/** A response with what is done at its end; nothing after that. */
type Ending = ServerResponse & { [ENDS]?: Act[] | undefined };

/** A connection with its responses that have not ended. */
type EndingSocket = Socket & { [ENDS]?: Set<Ending> };

/**
 * Do something when an answer has been sent, or its connection has ended before; at once when it has. What is asked for first is done
 * first.
 *
 * Of several requests that a client sends without waiting for the answers (pipelining), Node.js reports the end of the connection only
 * to the response that is being sent, so the connection is asked for the others.
 */
export function atAnswerEnd(response: ServerResponse, act: Act): void {
  const ending: Ending = response;
  const { socket } = response.req;
  if (ending[ENDS]) ending[ENDS].push(act);
  else if (response.closed || socket.destroyed) act(response);
  else {
    ending[ENDS] = [act];
    ending.once('close', answerEnded);
    responsesOf(socket).add(ending);
  }
}

function responsesOf(socket: EndingSocket): Set<Ending> {
  let responses = socket[ENDS];
  if (!responses) {
    socket[ENDS] = responses = new Set();
    socket.once('close', socketClosed);
  }
  return responses;
}

function answerEnded(this: Ending): void {
  const acts = this[ENDS] ?? [];
  this[ENDS] = undefined;
  (this.req.socket as EndingSocket)[ENDS]?.delete(this);
  for (const act of acts) act(this);
}

function socketClosed(this: EndingSocket): void {
  for (const response of this[ENDS] ?? []) answerEnded.call(response);
}
