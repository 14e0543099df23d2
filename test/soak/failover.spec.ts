import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNothingLost, figures, ImportLoad } from '../support/import-load.js';
import { spawnService, type ServiceProcess } from '../support/service-process.js';
import { TOKEN_SIGNING_KEY } from '../support/service.js';
import { startPair, type PostgresPair } from '../support/standby.js';

/** How long primaries fail; the round that has begun is completed. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 300);
const CALLERS = 24;
const REQUESTS_BETWEEN = 1_000;

describe('two workers whose address names a primary and its synchronous standby, for a long time', () => {
  let pair: PostgresPair;
  let home: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    [pair, home] = await Promise.all([startPair(), mkdtemp(join(tmpdir(), 'data-import-failover-'))]);
    service = spawnService({
      DATABASE_URL: pair.url({ sslmode: 'disable' }),
      TOKEN_SIGNING_KEY,
      DATA_DIR: home,
      DOCUMENT_STORE: `file://${home}`,
      SANDBOX_VENDOR: 'on',
      WEB_CONCURRENCY: '2',
      DATABASE_STATEMENT_TIMEOUT_MS: process.env.SOAK_STATEMENT_TIMEOUT_MS ?? '5000',
    });
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await pair.stop();
    await rm(home, { recursive: true, force: true });
  });

  const FAILURES: Readonly<Record<string, () => Promise<void>>> = {
    'primary killed': () => pair.primary.kill(),
    'primary silent': () => pair.primary.signal('SIGSTOP'),
  };

  it(
    'store every answered request once, however often and in whatever way the primary fails (O7)',
    async () => {
      const endsAtMs = performance.now() + SECONDS * 1_000;
      const load = await ImportLoad.start(await service.listening(), pair.primary, CALLERS);
      const written: string[] = [];
      do {
        for (const [what, fail] of Object.entries(FAILURES)) {
          await load.more(REQUESTS_BETWEEN);
          const failedAtMs = performance.now();
          await fail();
          await pair.promote();
          const promotedAtMs = performance.now();
          await load.more(REQUESTS_BETWEEN);
          written.push(figures(load, what, failedAtMs, promotedAtMs));
          await pair.standby.kill();
          await pair.rebuildStandby();
        }
      } while (performance.now() < endsAtMs);
      written.push(expectNothingLost(await load.stop(pair.primary)));
      process.stdout.write(`${written.join('\n')}\n`);
    },
    SECONDS * 1_000 + 300_000,
  );
});
