import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TokenService } from '../../src/auth/token.service.js';
import { createDatabase, openDatabase, type TestDatabase } from './database.js';
import { importOutside, outside } from './outside.js';
import { clientOf, Given, startService, type TestService } from './service.js';

/** The part that outlives a test file. Except for `stop`, nothing in it was created in a test context. */
interface Shared {
  readonly app: NestFastifyApplication;
  readonly baseUrl: string;
  readonly database: Pick<TestDatabase, 'url' | 'isDistributed'>;
  readonly stop: () => Promise<void>;
}

/** test/support/global-teardown.mjs finds the service here when Jest runs the tests in its own process. */
const SHARED = Symbol.for('the service that test files share');
const shared = outside as { [SHARED]?: Promise<Shared> };

/** The message to a Jest worker that no test file is left (CHILD_MESSAGE_END of jest-worker). */
const NO_TESTS_LEFT = 2;

/**
 * A service with default settings, shared by the test files of a Jest process: for files that look only at data that they have
 * created themselves.
 */
export async function sharedService(): Promise<TestService> {
  shared[SHARED] ??= start();
  const { app, baseUrl, database: of } = await shared[SHARED];
  const database = openDatabase(of.url, of.isDistributed, () => Promise.resolve());
  const given = new Given(database, app.get(TokenService, { strict: false }));
  return { app, baseUrl, database, given, ...clientOf(baseUrl), stop: database.drop };
}

async function start(): Promise<Shared> {
  // Never dropped: it is removed with its server.
  const database = await createDatabase();
  const { app, baseUrl, stop } = await startService({}, { database });
  const { default: jestProcess } = await importOutside<{ default: NodeJS.Process }>('node:process');
  const onMessage = ([type]: readonly unknown[]): void => {
    if (type !== NO_TESTS_LEFT) return;
    jestProcess.off('message', onMessage);
    void stop();
  };
  if (jestProcess.send) jestProcess.on('message', onMessage);
  return { app, baseUrl, database: { url: database.url, isDistributed: database.isDistributed }, stop };
}
