import { existsSync } from 'node:fs';
import { runService } from './start/run-service.js';
import { ignoreOutputErrors } from './common/standard-output.js';

ignoreOutputErrors();
if (existsSync('.env')) process.loadEnvFile('.env');
await runService(process.env);
