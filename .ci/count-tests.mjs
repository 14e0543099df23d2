// Prints the names of the tests that failed, and then "N passed, N failed", summed over the files that Jest wrote. A test file
// that could not be loaded counts as one failed test, and so does a run that left no results.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  if (text === '') process.stdout.write('A test run did not complete: it left no results.\n');
  const results = text === '' ? { numFailedTests: 1 } : JSON.parse(text);
  passed += results.numPassedTests ?? 0;
  failed += (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
  for (const { name: path, assertionResults } of results.testResults ?? []) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'failed') process.stdout.write(`${relative(process.cwd(), path)}: ${fullName}\n`);
    }
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
