// npm run build: install and build if needed.
import { prepare } from './prepare.mjs';

prepare((sentence) => process.stdout.write(`${sentence}\n`));
