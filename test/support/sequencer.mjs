import Sequencer from '@jest/test-sequencer';

/** The small files that take long: tests of processes, of every screen of the console, and of every fault. */
const LONG = /\/test\/(process\/|browser\/screens\.spec|soak\/reliability\.spec)/;

/**
 * Jest’s order, but the tests that take long first. Where nothing is known of earlier runs, Jest goes by the size of the files,
 * and a small one that takes long would begin last, when the other workers have nothing left to do.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const [long, others] = [true, false].map((isLong) =>
      tests.filter(({ path }) => LONG.test(path) === isLong),
    );
    return [...super.sort(long), ...super.sort(others)];
  }
}
