import { constants, Script } from 'node:vm';

/**
 * `import` by Node.js itself, in this process but outside the context of the tests. A name is that of a package of the
 * project, of a module of Node.js, or the URL of a file.
 */
export const importOutside = new Script('(name) => import(name)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext() as <Module>(name: string) => Promise<Module>;

/** The variables that the service reads; `process.env` of a test is a copy of them. */
export const { env } = await importOutside<typeof import('node:process')>('node:process');

/** The global object of the service. */
export const outside = new Script('globalThis').runInThisContext() as typeof globalThis;

/** Jest’s fake timers, for the service as for the test, until {@link useRealTimers}. */
export function useFakeTimers(options: Parameters<typeof jest.useFakeTimers>[0]): void {
  import.meta.jest.useFakeTimers(options);
  shareTimers();
}

export function useRealTimers(): void {
  import.meta.jest.useRealTimers();
  shareTimers();
}

function shareTimers(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
  Object.assign(outside, {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    clearImmediate,
  });
  outside.performance = globalThis.performance;
}
