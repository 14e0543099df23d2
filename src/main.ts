import { existsSync } from 'node:fs';
import { runService } from './apps/http/start/run-service.js';
import { ignoreOutputErrors } from './infrastructure/log/standard-output.js';

ignoreOutputErrors();
if (existsSync('.env')) process.loadEnvFile('.env');
await runService(process.env);
