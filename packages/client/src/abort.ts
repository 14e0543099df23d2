/** The controllers of the running calls, by the caller's signal. */
const calls = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * A signal for one call, aborted together with the caller's signal. The caller's signal gets a single listener for all calls,
 * because Node.js warns about more than ten.
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

/** Stop waiting for a promise when the signal is aborted; the work behind the promise continues. */
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
