// Prints "N passed, N failed" from the file that Jest wrote. A test file that could not even be loaded counts as one
// failed test, and so does a run that left no results.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8');
if (text === '') process.stdout.write('The tests were not run to their end: there are no results.\n');
const results = text === '' ? { numFailedTests: 1 } : JSON.parse(text);
const {
  numPassedTests: passed = 0,
  numFailedTests: failed = 0,
  numRuntimeErrorTestSuites: broken = 0,
} = results;
process.stdout.write(`${passed} passed, ${failed + broken} failed\n`);
