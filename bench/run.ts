import {
  createServiceDatabase,
  serve,
  type DatabaseOptions,
  type ServiceDatabase,
} from './contenders/service.js';
import type { Contender } from './contenders/contender.js';
import type { Scenario } from './load/scenarios.js';
import type { BenchOptions } from './options.js';
import type { CleanUp } from './processes/clean-up.js';
import type { BenchPostgres } from './processes/postgres.js';

/** The build of the checkout that `--against` names. */
export const OLD_SERVICE = 'service-old';
export type ContenderName = 'service' | typeof OLD_SERVICE;

/** Shared context of all measurements. Every service that it starts is stopped when the run ends. */
export class BenchRun {
  constructor(
    readonly options: BenchOptions,
    readonly scenarios: readonly Scenario[],
    readonly postgres: BenchPostgres,
    private readonly cleanUp: CleanUp,
    /** Print a sentence on standard error. */
    readonly log: (sentence: string) => void,
  ) {}

  /** This build and, with `--against`, the old one. */
  get builds(): readonly ContenderName[] {
    return this.options.against === undefined ? ['service'] : ['service', OLD_SERVICE];
  }

  /** Create the database of a build. @param name of its contender */
  createDatabase(
    database: string,
    options: DatabaseOptions = {},
    name = 'service',
  ): Promise<ServiceDatabase> {
    const { against } = this.options;
    const checkout = name === OLD_SERVICE && against !== undefined ? { checkout: against } : {};
    return createServiceDatabase(this.postgres, database, { ...checkout, ...options });
  }

  /** Start the build that created a database. */
  async serve(name: string, database: ServiceDatabase): Promise<Contender> {
    const server = await serve(this.postgres, name, database);
    this.cleanUp.defer(server.stop);
    return server;
  }

  /** Start a build on its own database with the usual accounts. */
  async start(name: ContenderName): Promise<Contender> {
    this.log(`Starting ${name} …`);
    const database = await this.createDatabase(`bench_${name.replaceAll('-', '_')}`, {}, name);
    return this.serve(name, database);
  }
}
