// The service as src/main.ts runs it, with time limits of the test instead of its own (ServiceTimes, as JSON in TEST_TIMES).
import { runService } from '../../dist/src/apps/http/start/run-service.js';

await runService(process.env, JSON.parse(process.env.TEST_TIMES));
