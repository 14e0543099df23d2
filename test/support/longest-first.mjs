import Sequencer from '@jest/test-sequencer';

/** The projects whose files take minutes, of which some are short: by their size they would run last, one of them alone in the end. */
const LONGEST = ['browser', 'process', 'soak'];

/** @param {import('@jest/test-result').Test} test */
const rankOf = ({ context }) => LONGEST.indexOf(context.config.displayName?.name ?? '');

/** Jest’s order of the files, but the longest projects first. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rankOf(other) - rankOf(one));
  }
}
