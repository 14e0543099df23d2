// npm start: install and build if needed, then run the service in this process, so that signals reach it.
import { endWithNpm } from './npm-shell.mjs';
import { prepare } from './prepare.mjs';

prepare((sentence) => process.stdout.write(`${sentence}\n`));
endWithNpm();
await import('../dist/src/main.js');
