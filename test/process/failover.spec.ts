import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJson } from '../support/cli.js';
import { startPostgresProxy, type PostgresProxy } from '../support/haproxy.js';
import { expectNothingLost, ImportLoad, timesOf } from '../support/import-load.js';
import { spawnService, type ServiceProcess } from '../support/service-process.js';
import { clientOf, givenIn, TOKEN_SIGNING_KEY } from '../support/service.js';
import { startPair, type PostgresPair } from '../support/standby.js';
import { waitUntil } from '../support/wait-until.js';

const CALLERS = 4;
/** Requests answered before and after each change of the primary. */
const REQUESTS = 30;
/** A short timeout for commits that wait for a standby. */
const LIMITS = { DATABASE_STATEMENT_TIMEOUT_MS: '3000' };

const FAILED_OVER = 'the database failed over';

const written: string[] = [];
const say = (line: string): void => {
  written.push(line);
};

describe('a service whose address leads through a proxy to a primary with a synchronous standby', () => {
  let pair: PostgresPair;
  let proxy: PostgresProxy;
  let home: string;
  let url: string;
  let service: ServiceProcess;
  let origin: string;

  beforeAll(async () => {
    [pair, home] = await Promise.all([startPair(), mkdtemp(join(tmpdir(), 'data-import-failover-'))]);
    proxy = await startPostgresProxy([pair.primary.url, pair.standby.url]);
    url = `${proxy.url}?sslmode=disable`;
    service = spawnService({
      DATABASE_URL: url,
      TOKEN_SIGNING_KEY,
      DATA_DIR: home,
      DOCUMENT_STORE: `file://${home}`,
      SANDBOX_VENDOR: 'on',
      ...LIMITS,
    });
    origin = await service.listening();
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await proxy.stop();
    await pair.stop();
    await rm(home, { recursive: true, force: true });
    process.stdout.write(`${written.join('\n')}\n`);
  });

  async function feedStatus(code: string): Promise<{ epoch: object }> {
    return (await runJson({ url }, ['feed', 'status', code])).json as { epoch: object };
  }

  it('answers 503 when the wait for the standby was cancelled, because only the primary has the request (O7)', async () => {
    const { token, ref } = await givenIn(pair.primary).importedAccount();
    const post = () =>
      clientOf(origin).post('notes/create/', token, { ...ref, notes: [{ body: 'On one server' }] });
    await pair.standby.signal('SIGSTOP');
    const answer = post();
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'data-import'`;
    let pids: { pid: number }[] = [];
    await waitUntil('the commit waits for the standby', async () => {
      pids = await pair.primary.sql<{ pid: number }>(waiting);
      return pids.length > 0;
    });
    for (const { pid } of pids) await pair.primary.sql('SELECT pg_cancel_backend($1)', [pid]);
    const reply = await answer;
    await pair.standby.signal('SIGCONT');
    expect(reply).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await post()).toMatchObject({ status: 201, body: [{ status: 'NOTE_ALREADY_EXISTS' }] });
  });

  it('follows the proxy to the new primary without a restart, whether the old one still runs or was killed; every answered request is stored once, and each change begins an epoch of the feed (O7, E7)', async () => {
    const load = await ImportLoad.start(origin, pair.primary, CALLERS);
    await load.more(REQUESTS);
    expect((await feedStatus(load.supplier)).epoch).toMatchObject({ number: 1 });
    // A planned switch: the old primary keeps running with its connections, and so does the proxy.
    const readOnlyAtMs = performance.now();
    await pair.primary.sql('ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.primary.sql('SELECT pg_reload_conf()');
    await load.moreUnavailable(1);
    await pair.promote();
    await proxy.redirect(pair.primary.url);
    const changedAtMs = performance.now();
    await load.more(REQUESTS);
    const left = `SELECT FROM pg_stat_activity WHERE application_name = 'data-import'`;
    await waitUntil('the old primary is left', async () => (await pair.standby.sql(left)).length === 0);
    expect((await feedStatus(load.supplier)).epoch).toMatchObject({ number: 2, reason: FAILED_OVER });
    say(
      timesOf(load, 'read-only primary, proxy redirected to the promoted standby', readOnlyAtMs, changedAtMs),
    );
    await pair.standby.kill();
    await pair.rebuildStandby();
    await load.more(REQUESTS);

    const killedAtMs = performance.now();
    await pair.primary.kill();
    await load.moreUnavailable(1);
    await pair.promote();
    await proxy.redirect(pair.primary.url);
    const promotedAtMs = performance.now();
    await load.more(REQUESTS);
    say(timesOf(load, 'primary killed, proxy redirected to the promoted standby', killedAtMs, promotedAtMs));
    say(expectNothingLost(await load.stop(pair.primary)));
    expect((await feedStatus(load.supplier)).epoch).toMatchObject({ number: 3, reason: FAILED_OVER });
    // Every stored request has a change or a pending one.
    const without = await pair.primary.sql(
      `SELECT r.id FROM import_request r JOIN import_supplier s ON s.id = r.import_supplier_id AND s.code = $1
        WHERE NOT EXISTS (SELECT FROM feed_change c
                           WHERE c.import_supplier_id = r.import_supplier_id AND c.import_request_id = r.id)
          AND NOT EXISTS (SELECT FROM supplier_change c
                           WHERE c.import_supplier_id = r.import_supplier_id AND c.import_request_id = r.id AND c.type IS NOT NULL)`,
      [load.supplier],
    );
    expect(without).toEqual([]);
  });
});
