import { constants, Script } from 'node:vm';

/**
 * `import` by Node.js itself: in this process, but outside Jest's test context. A name is a package of the project, a module
 * of Node.js or the URL of a file.
 */
export const importOutside = new Script('(name) => import(name)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext() as <Module>(name: string) => Promise<Module>;

/** The environment variables that the service reads. In a test, `process.env` is a copy of them. */
export const { env } = await importOutside<typeof import('node:process')>('node:process');

/** The global object of the service, outside the test context. */
export const outside = new Script('globalThis').runInThisContext() as typeof globalThis;

/** Use Jest’s fake timers in the service as well as in the test, until {@link useRealTimers}. */
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
