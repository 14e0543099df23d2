import { relative } from 'node:path';

/** Jest’s reporter that ends a failing run with one line for each failed test. Gain: Jest’s own summary repeats every message in full. */
export default class FailedTests {
  onRunComplete(_contexts, { testResults }) {
    const lines = testResults.flatMap(failuresOf);
    if (lines.length === 0) return;
    // Jest prints its summary after all reporters, in whatever order they are.
    process.once('exit', () => process.stderr.write(`\nFailed:\n${lines.join('\n')}\n`));
  }
}

/** A file that could not be run has no failed test of its own. */
function failuresOf({ testFilePath, testResults, failureMessage }) {
  const file = relative(process.cwd(), testFilePath);
  const failed = testResults.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return failed.map(({ fullName }) => `  ${file}: ${fullName}`);
  return failureMessage ? [`  ${file}: the file could not be run`] : [];
}
