import Sequencer from '@jest/test-sequencer';

/** The small files that take long: tests of processes, and of every screen of the console. */
const LONG = /\/test\/(process\/|browser\/screens\.spec)/;
/** They put load on the machine, which other tests would wait for. */
const SOAK = /\/test\/soak\//;

/**
 * Jest’s order, but the tests that take long first, and the soak tests last. Where nothing is known of earlier runs, Jest goes by the size of the files,
 * and a small one that takes long would begin last, when the other workers have nothing left to do.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => (LONG.test(path) ? 0 : SOAK.test(path) ? 2 : 1);
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
