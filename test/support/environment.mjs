import asyncHooks from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const NAME = 'AsyncLocalStorage';
const ORIGINAL = Object.getOwnPropertyDescriptor(asyncHooks, NAME);

/** The part of AsyncLocalStorage that Jest uses. One variable is enough, because the tests of a file run sequentially. */
class CurrentTest {
  getStore() {
    return this.current;
  }

  async run(test, callback) {
    const outer = this.current;
    this.current = test;
    try {
      return await callback();
    } finally {
      this.current = outer;
    }
  }
}

function restore() {
  Object.defineProperty(asyncHooks, NAME, ORIGINAL);
}

/**
 * Jest’s environment, in which Jest remembers the running test in a variable. In Jest 30.5 each test file makes an
 * AsyncLocalStorage for that and never disables it, and Node.js before 24 calls a function for each of them whenever a promise
 * is made: the hundredth file of a process took ten times as long as the first.
 *
 * Gain: 27 unit test files in one process take 16 s instead of 33 s.
 */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.defineProperty(asyncHooks, NAME, { configurable: true, enumerable: true, value: CurrentTest });
  }

  /** At its first event, Jest has loaded its own modules. Everything loaded later gets the class of Node.js. */
  handleTestEvent({ name }) {
    if (name === 'setup') restore();
  }

  async teardown() {
    restore();
    await super.teardown();
  }
}
