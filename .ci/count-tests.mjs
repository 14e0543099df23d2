// Prints "N passed, N failed", summed over the files that Jest wrote. A test file that could not be loaded counts as one
// failed test, and so does a run that left no results.
import { readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  if (text === '') process.stdout.write('A test run did not complete: it left no results.\n');
  const results = text === '' ? { numFailedTests: 1 } : JSON.parse(text);
  passed += results.numPassedTests ?? 0;
  failed += (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
