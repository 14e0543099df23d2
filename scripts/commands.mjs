// npm run commands: write the descriptions of the operator commands, from which help and wrong usage are answered without Nest, and
// the completions of the shells, which are made of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, prepare } from './prepare.mjs';

prepare((sentence) => process.stderr.write(`${sentence}\n`));
const { commandFiles } = await import('../dist/src/cli/describe-commands.js');
mkdirSync(join(ROOT, 'completions'), { recursive: true });
for (const [path, text] of Object.entries(await commandFiles())) writeFileSync(join(ROOT, path), text);
