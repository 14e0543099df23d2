// Runs the service as src/main.ts does, with the test's time limits (ServiceTimes, as JSON in TEST_TIMES).
import { runService } from '../../dist/src/apps/http/start/run-service.js';

await runService(process.env, JSON.parse(process.env.TEST_TIMES));
