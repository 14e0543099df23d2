import { PlatformClient } from '../../packages/client/src/platform.js';
import { runCommand } from '../support/cli.js';
import { FeedLoad } from '../support/feed-load.js';
import { expectWithoutGap, readLog } from '../support/feed-log.js';
import { installClient, type InstalledClient } from '../support/installed-client.js';
import { issuePlatformKey } from '../support/platform-key.js';
import { between, randomOf } from '../support/reliability/random.js';
import { EmbeddedSite } from '../support/reliability/sites.js';
import { givenIn, type World } from '../support/service.js';
import { SOAK_SECONDS } from '../support/runs.js';
import { stored, TakingOver } from '../support/taking-over.js';
import { idOf } from '../support/suppliers.js';
import { waitUntil } from '../support/wait-until.js';

const CLIENTS = 20;
/** Maximum number of answered import requests between two faults. */
const BETWEEN_MAX = 60;

let client: InstalledClient;
let site: EmbeddedSite;
let world: World;
let copies: TakingOver[];
let reader: PlatformClient;

beforeAll(async () => {
  [client, site] = await Promise.all([installClient(), EmbeddedSite.start()]);
  world = await givenIn(site.database).supplier();
  const apiKey = await issuePlatformKey(site.database);
  const at = { baseUrl: site.origin, apiKey };
  const feed = { ...at, supplier: world.supplier };
  copies = [];
  for (const name of ['one', 'two']) copies.push(await TakingOver.start(client, { ...feed, reader: name }));
  // A reader that has waited long between two tries would hold up the end of the test.
  reader = new PlatformClient({ ...at, retry: { maxWaitMs: 2_000 } });
});
afterAll(async () => {
  reader.close();
  await Promise.all(copies.map((copy) => copy.stop()));
  await site.stop();
  await client.remove();
});

/** The changes up to a number, each with its type. */
async function history(last: number): Promise<string[]> {
  const changes: string[] = [];
  if (last === 0) return changes;
  for await (const { change } of reader.changes({ supplier: world.supplier })) {
    changes.push(`${Number(change.sequence)} ${change.type}`);
    if (changes.length === last) break;
  }
  return changes;
}

/** Collect the changes that a reader which is never killed receives, until it is stopped. */
async function hear(heard: string[], signal: AbortSignal): Promise<void> {
  try {
    for await (const { change } of reader.changes({ supplier: world.supplier, signal })) {
      heard.push(`${Number(change.sequence)} ${change.type}`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

it(
  'the feed has every change once and in order, and each copy is what is stored, whatever is killed (E1 to E4)',
  async () => {
    const random = randomOf(1);
    const command = (args: readonly string[], input: string): ReturnType<typeof runCommand> =>
      runCommand(site.database, args, input);
    const load = await FeedLoad.start({ connect: site.connect, world, command, random }, CLIENTS);
    const [heard, stop] = [[] as string[], new AbortController()];
    const hearing = hear(heard, stop.signal);
    const faults: (() => unknown)[] = [
      ...copies.map((copy) => () => {
        copy.kill();
      }),
      () => site.killConnection(),
      () => site.signalPostgres('SIGKILL'),
      async () => {
        await site.restartAfter('SIGKILL');
      },
    ];
    let made = 0;
    // Each fault at least once, however slow the machine is.
    for (
      const endsAtMs = performance.now() + SOAK_SECONDS * 1_000;
      made < faults.length || performance.now() < endsAtMs;
      made += 1
    ) {
      await load.more(between(random, 1, BETWEEN_MAX));
      await faults[made < faults.length ? made : between(random, 0, faults.length - 1)]!();
    }
    await load.stop();

    const expected = (await stored(site.database, world.supplier)).sort();
    for (const copy of copies) {
      await copy.untilAtNewest(site.database, world.supplier);
      expect((await copy.copy()).sort()).toEqual(expected);
    }
    const id = await idOf(site.database, world.supplier);
    const log = await readLog(site.database, id);
    expectWithoutGap(log);
    const numbered = log.map(({ sequence, type }) => `${sequence} ${type}`);
    expect(await history(log.length)).toEqual(numbered);
    // After the faults it may be in a pause between two tries.
    await Promise.race([
      hearing,
      waitUntil('the reader that is never killed has every change', () => heard.length >= log.length),
    ]);
    stop.abort();
    await hearing;
    expect(heard).toEqual(numbered);
    const kills = copies.map((copy) => copy.kills).join(' and ');
    process.stdout.write(
      `${made} faults, readers killed ${kills} times; ${load.stored} requests, ${log.length} changes; ${JSON.stringify(load.done)}\n`,
    );
  },
  SOAK_SECONDS * 1_000 + 600_000,
);
