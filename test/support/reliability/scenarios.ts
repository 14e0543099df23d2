import { startFakeVendors, stripeCard } from '../fake-vendors.js';
import { roundRobin, type ImportLoad, type LoadOptions } from '../import-load.js';
import { startPair, startServer } from '../standby.js';
import { startProxy, type TcpProxy } from '../tcp-proxy.js';
import { findHaproxy } from '../haproxy.js';
import { waitUntil } from '../wait-until.js';
import { between, type Random } from './random.js';
import { rollingRestart } from './rolling-restart.js';
import type { Fault, FaultySite, Scenario } from './scenario.js';
import { EmbeddedSite, SmallDisk, startServices, type Site } from './sites.js';

/** A short query timeout, so that a commit waiting for a lost server soon fails. */
const TIME_LIMIT = { DATABASE_STATEMENT_TIMEOUT_MS: '3000' };
/** Requests of each caller that are answered while a fault lasts. */
const DURING_FAULT = 8;
/** Fewer, because soon every caller waits seconds for the vendor. */
const WITH_SLOW_VENDOR = 2;
const SLOW_DATABASE_MS = 20;
const SLOW_VENDOR_MS = 300;
/** Enough for several requests on a connection; any smaller number is a part of one or more requests. */
const TORN_BYTES_MAX = 20_000;
const SMALL_DISK_MB = 400;

const EMBEDDED_FAULTS = {
  /** This resets all other connections. */
  connection: (site: EmbeddedSite) => () => site.killConnection(),
  service: (site: EmbeddedSite) => async () => {
    await site.restartAfter('SIGKILL');
  },
  postmaster: (site: EmbeddedSite) => () => site.signalPostgres('SIGKILL'),
  immediate: (site: EmbeddedSite) => () => site.signalPostgres('SIGQUIT'),
  graceful: (site: EmbeddedSite) => async () => {
    const end = await site.restartAfter('SIGTERM');
    if (end !== 0) throw new Error(`The service ended with ${end}.`);
  },
} as const satisfies Record<string, (site: EmbeddedSite) => Fault>;

/** @param faults injected one after the other into a service with the embedded PostgreSQL */
async function embedded(...faults: readonly (keyof typeof EMBEDDED_FAULTS)[]): Promise<FaultySite> {
  const site = await EmbeddedSite.start();
  return faulty(
    site,
    faults.map((name) => EMBEDDED_FAULTS[name](site)),
  );
}

function faulty(site: Site, faults: readonly Fault[], load?: LoadOptions): FaultySite {
  return {
    connect: site.connect,
    // The primary of a pair changes.
    get database() {
      return site.database;
    },
    stop: () => site.stop(),
    faults,
    ...(load && { load }),
  };
}

/** Two services whose connections to PostgreSQL go through a proxy. */
async function behindProxy(...faults: readonly ((proxy: TcpProxy) => Fault)[]): Promise<FaultySite> {
  const database = await startServer();
  const proxy = await startProxy(database.url);
  const services = await startServices(2, {
    DATABASE_URL: `${proxy.through(database.url)}?sslmode=disable`,
    ...TIME_LIMIT,
  });
  const stop = async (): Promise<void> => {
    await services.stop();
    await proxy.cut();
    await database.stop();
  };
  return { connect: services.connect, database, stop, faults: faults.map((fault) => fault(proxy)) };
}

async function failOver(): Promise<FaultySite> {
  const pair = await startPair();
  const proxy = await startProxy(pair.primary.url);
  const services = await startServices(2, {
    DATABASE_URL: `${proxy.through(pair.primary.url)}?sslmode=disable`,
    ...TIME_LIMIT,
  });
  const failure = (lose: () => Promise<void>) => async (load: ImportLoad) => {
    await lose();
    await load.moreFailures(1);
    await pair.promote();
    proxy.redirect(pair.primary.url);
    await load.more(1);
    await pair.standby.kill();
    await pair.rebuildStandby();
  };
  const site = {
    connect: services.connect,
    get database() {
      return pair.primary;
    },
    stop: async () => {
      await services.stop();
      await proxy.cut();
      await pair.stop();
    },
  };
  return faulty(site, [failure(() => pair.primary.kill()), failure(() => pair.primary.signal('SIGSTOP'))]);
}

/** Clients whose connections to the service break anywhere in a request or a response. */
async function tornClients(): Promise<FaultySite> {
  const site = await EmbeddedSite.start();
  const proxy = await startProxy(site.origin);
  const address = proxy.through(site.origin).replace(/\/$/, '');
  const tear = async (load: ImportLoad, random: Random): Promise<void> => {
    proxy.tear(() => between(random, 1, TORN_BYTES_MAX));
    // Replace the open connections, which have no limit.
    await proxy.cut();
    await proxy.restore();
    await load.moreFailures(DURING_FAULT * load.callers);
    proxy.tear(undefined);
  };
  return {
    connect: roundRobin(() => [address]),
    database: site.database,
    faults: [tear],
    stop: async () => {
      await proxy.cut();
      await site.stop();
    },
  };
}

async function fullDisk(): Promise<FaultySite> {
  let disk: SmallDisk | undefined;
  const site = await EmbeddedSite.start(async (dataDir) => {
    disk = await SmallDisk.mount(dataDir, SMALL_DISK_MB);
  });
  const fill = async (load: ImportLoad): Promise<void> => {
    await disk!.fill();
    await load.moreFailures(1);
    await disk!.free();
    await waitUntil('the service answers', async () => {
      await site.runIfEnded();
      return (await fetch(`${site.origin}/health/ready`).catch(() => undefined))?.ok === true;
    });
  };
  const stop = async (): Promise<void> => {
    await site.end();
    await disk!.unmount();
    await site.stop();
  };
  return faulty({ connect: site.connect, database: site.database, stop }, [fill]);
}

async function vendorFaults(...faults: readonly ((proxy: TcpProxy) => Fault)[]): Promise<FaultySite> {
  const vendor = await startFakeVendors(stripeCard);
  const proxy = await startProxy(vendor.url);
  const database = await startServer();
  const services = await startServices(2, {
    DATABASE_URL: `${database.url}?sslmode=disable`,
    STRIPE_API_KEY: 'sk_test_only_the_tests_know',
    STRIPE_API_URL: proxy.through(vendor.url),
    PAYMENT_VENDOR_TIMEOUT_MS: '2000',
  });
  const stop = async (): Promise<void> => {
    await services.stop();
    await proxy.cut();
    await Promise.all([vendor.stop(), database.stop()]);
  };
  return {
    connect: services.connect,
    database,
    stop,
    faults: faults.map((fault) => fault(proxy)),
    load: { vendor: 'STRIPE' },
  };
}

async function twoInstances(): Promise<FaultySite> {
  const database = await startServer();
  const services = await startServices(2, { DATABASE_URL: `${database.url}?sslmode=disable` });
  const stop = async (): Promise<void> => {
    await services.stop();
    await database.stop();
  };
  const more = (load: ImportLoad): Promise<void> => load.more(DURING_FAULT * load.callers);
  return { connect: services.connect, database, stop, faults: [more], load: { isSentTwice: true } };
}

const cut = (proxy: TcpProxy) => async (load: ImportLoad) => {
  await proxy.cut();
  await load.moreFailures(1);
  await proxy.restore();
};

const silence = (proxy: TcpProxy) => async (load: ImportLoad) => {
  proxy.silence();
  await load.moreFailures(1);
};

/** @param answers the number of requests of each caller answered meanwhile */
const slow = (ms: number, answers: number) => (proxy: TcpProxy) => async (load: ImportLoad) => {
  proxy.slow(ms);
  await load.more(answers * load.callers);
  proxy.slow(0);
};

const SLOW_DATABASE = slow(SLOW_DATABASE_MS, DURING_FAULT);
const SLOW_VENDOR = slow(SLOW_VENDOR_MS, WITH_SLOW_VENDOR);

/** Kills every process once, for a test that takes seconds. */
export const EVERY_PROCESS: Scenario = {
  name: 'every-process',
  fault: 'each of the processes killed in turn',
  start: () => embedded('connection', 'service', 'postmaster'),
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'service-killed',
    fault: 'the service killed (`SIGKILL`), the service started again',
    start: () => embedded('service'),
  },
  {
    name: 'service-ended',
    fault: 'the service ended under load (`SIGTERM`) and started again',
    start: () => embedded('graceful'),
  },
  {
    name: 'backend-killed',
    fault: 'a process of PostgreSQL killed (`SIGKILL`), which resets all connections',
    start: () => embedded('connection'),
  },
  {
    name: 'postgres-killed',
    fault:
      'the first process of PostgreSQL killed (`SIGKILL`), with which the service ends; the service started again',
    start: () => embedded('postmaster'),
  },
  {
    name: 'postgres-immediate',
    fault:
      'PostgreSQL ended without a checkpoint (immediate shutdown), with which the service ends; the service started again',
    start: () => embedded('immediate'),
  },
  {
    name: 'primary-lost',
    fault: 'the primary killed, or silent, and its synchronous standby promoted',
    start: failOver,
  },
  {
    name: 'database-cut',
    fault: 'all connections to PostgreSQL cut and new ones refused',
    start: () => behindProxy(cut),
  },
  {
    name: 'database-silent',
    fault: 'all connections to PostgreSQL open but silent',
    start: () => behindProxy(silence),
  },
  {
    name: 'database-slow',
    fault: `each packet to and from PostgreSQL ${SLOW_DATABASE_MS} ms late`,
    start: () => behindProxy(SLOW_DATABASE),
  },
  {
    name: 'clients-torn',
    fault: 'connections of clients cut in the middle of a request or an answer',
    start: tornClients,
  },
  {
    name: 'disk-full',
    fault: 'no space left on the disk of PostgreSQL and of the service, then freed',
    obstacle: () =>
      Promise.resolve(process.getuid?.() === 0 ? undefined : 'only root can mount a small file system'),
    start: fullDisk,
  },
  { name: 'vendor-down', fault: 'the payment vendor refuses connections', start: () => vendorFaults(cut) },
  {
    name: 'vendor-slow',
    fault: `each packet to and from the payment vendor ${SLOW_VENDOR_MS} ms late`,
    start: () => vendorFaults(SLOW_VENDOR),
  },
  {
    name: 'rolling-restart',
    fault: 'two instances behind HAProxy ended (`SIGTERM`) and started again, one after the other',
    obstacle: async () => ((await findHaproxy()) ? undefined : 'HAProxy or OpenSSL is not installed'),
    isSeamless: true,
    start: rollingRestart,
  },
  {
    name: 'two-instances',
    fault: 'none: two instances get every request at the same moment',
    start: twoInstances,
  },
];

/** The faults that no other test makes, those of the same programs one after the other: the programs take longer to start. */
export const SHORT_SCENARIOS: readonly Scenario[] = [
  {
    name: 'all-ended',
    fault: 'the service and PostgreSQL ended',
    start: () => embedded('graceful', 'immediate'),
  },
  {
    name: 'database-away',
    fault: 'the database cut off, silent and slow',
    start: () => behindProxy(cut, silence, SLOW_DATABASE),
  },
  {
    name: 'vendor-away',
    fault: 'the payment vendor cut off and slow',
    start: () => vendorFaults(cut, SLOW_VENDOR),
  },
  ...SCENARIOS.filter(({ name }) =>
    ['clients-torn', 'disk-full', 'rolling-restart', 'two-instances'].includes(name),
  ),
];
