#!/usr/bin/env node
// npm run cli -- COMMAND, and npx data-import COMMAND: the operator commands.
import { endWithNpm } from './npm-shell.mjs';
import { ROOT, prepare } from './prepare.mjs';

const calledFrom = process.env.INIT_CWD ?? process.cwd();
prepare((sentence) => process.stderr.write(`${sentence}\n`));
endWithNpm();
process.chdir(ROOT);
// Node.js 20.19 cannot load a CommonJS package that requires this one while a module that needs both is loading.
await import('@nestjs/common');
const { main } = await import('../dist/src/apps/cli/main.js');
await main(process.argv.slice(2), calledFrom);
