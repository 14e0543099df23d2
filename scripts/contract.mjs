// npm run contract: write the published description of the interfaces; with --check only compare it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, prepare } from './prepare.mjs';

const FOLDER = join(ROOT, 'contract');

prepare((sentence) => process.stderr.write(`${sentence}\n`));
const { describeContract } = await import('../dist/src/http/openapi/contract.js');
const files = await describeContract();
if (process.argv.includes('--check')) check(files);
else write(files);

function write(files) {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, text } of files) writeFileSync(join(FOLDER, name), text);
}

function check(files) {
  for (const { name, text } of files) {
    const difference = firstDifference(read(name), text);
    if (difference === undefined) continue;
    process.stderr.write(
      `contract/${name} is out of date at ${difference}\nUpdate it with: npm run contract\n`,
    );
    process.exitCode = 1;
  }
}

function read(name) {
  try {
    return readFileSync(join(FOLDER, name), 'utf8');
  } catch {
    return '';
  }
}

/** The first line in which two texts differ, in words. */
function firstDifference(committed, current) {
  if (committed === current) return undefined;
  const [was, is] = [committed.split('\n'), current.split('\n')];
  const index = is.findIndex((line, at) => line !== was[at]);
  const at = index === -1 ? is.length : index;
  return `line ${at + 1}:\n- ${was[at] ?? '(end of file)'}\n+ ${is[at] ?? '(end of file)'}`;
}
