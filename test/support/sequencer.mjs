import Sequencer from '@jest/test-sequencer';

/** Small files that take long: process tests, and the test of all console screens. */
const LONG = /\/test\/(process\/|browser\/screens\.spec)/;
/** Soak tests load the machine and would slow down other tests. */
const SOAK = /\/test\/soak\//;

/**
 * Jest’s order, but long tests first and soak tests last. Without data from earlier runs, Jest orders files by size: a small
 * file that takes long would start last, when the other workers have nothing left to do.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => (LONG.test(path) ? 0 : SOAK.test(path) ? 2 : 1);
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
