import { readFileSync } from 'node:fs';
import { projectFile } from './project-file.js';

/** Version of the service, from package.json. */
export const VERSION = (JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string })
  .version;
