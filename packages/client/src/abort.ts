/** For each signal of a caller, the calls that it ends. */
const calls = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * A signal for one call that is aborted with the one of the caller, which gets one listener whatever the number of calls:
 * Node.js warns of more than ten.
 *
 * @returns the signal, and a function to call when the call has ended
 */
export function signalOfCall(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal | undefined;
  readonly release: () => void;
} {
  if (!signal) return { signal, release: () => undefined };
  const own = new AbortController();
  if (signal.aborted) own.abort(signal.reason);
  const controllers = calls.get(signal) ?? listenTo(signal);
  controllers.add(own);
  return { signal: own.signal, release: () => controllers.delete(own) };
}

function listenTo(signal: AbortSignal): Set<AbortController> {
  const controllers = new Set<AbortController>();
  calls.set(signal, controllers);
  const abort = (): void => {
    for (const controller of controllers) controller.abort(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  return controllers;
}

/** Stop waiting for a promise when the signal is aborted; what the promise is about goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
