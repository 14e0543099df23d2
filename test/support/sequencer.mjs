import Sequencer from '@jest/test-sequencer';

/**
 * Jest’s order, but the tests of processes first. Where nothing is known of earlier runs, Jest goes by the size of the files,
 * and the small one that takes long would begin last, when the other worker has nothing left to do.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const [processes, others] = [true, false].map((isProcess) =>
      tests.filter(({ path }) => path.includes('/test/process/') === isProcess),
    );
    return [...super.sort(processes), ...super.sort(others)];
  }
}
