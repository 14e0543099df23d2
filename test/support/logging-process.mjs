// Each word on standard input is a command to log something; it is acknowledged on standard output.
import { createInterface } from 'node:readline';
import { createLogger } from '../../dist/src/infrastructure/log/logger.js';

const logger = createLogger('info');
const LINES = 1_000;

for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'much') for (let line = 0; line < LINES; line += 1) logger.info({ line }, 'one of many');
  if (word === 'fatal') logger.fatal('the last line');
  if (word === 'exit') process.exit(3);
  process.stdout.write(`${word} is done\n`);
}
