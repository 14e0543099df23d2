import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { CommandContext } from '../commands/command-line.js';
import { ENVIRONMENT, type Environment } from '../config/settings.js';
import type { ConnectionUse } from './connection-options.js';
import type { OpenDatabase } from './open-database.js';
import { UnitOfWork, type SupplierWork, type Tx } from './unit-of-work.js';

/** Steps of opening a database that modules above this one provide. */
export interface OpeningSteps {
  /** Loads the entities of all modules. */
  readonly entities: () => Promise<NonNullable<ConnectionUse['entities']>>;
  /** Called before anything else uses an embedded database whose schema is up to date. */
  readonly beforeUse: (
    url: string,
    environment: Environment,
    say: (sentence: string) => void,
  ) => Promise<void>;
}
/** Injection token of the {@link OpeningSteps}. */
export const OPENING_STEPS = Symbol('the steps of opening the database');

/** Entities, migrations and the driver are loaded on first use: loading takes longer than printing the help. */
const opening = (): Promise<typeof import('./open-database.js')> => import('./open-database.js');

/**
 * The database of an operator command, configured or embedded. The first use opens it, so help, usage errors and rejected
 * commands need no database.
 */
@Injectable()
export class CommandDatabase implements OnApplicationShutdown {
  private opened?: Promise<OpenDatabase>;
  private connected?: Promise<DataSource>;
  private readonly closing = new AbortController();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly context: CommandContext,
    @Inject(OPENING_STEPS) private readonly steps: OpeningSteps,
  ) {}

  /**
   * Migrate the database to the newest schema.
   *
   * @returns the names of the migrations that this call applied
   * @throws StartError if the database cannot be reached
   */
  async migrate(): Promise<string[]> {
    const { url, environment } = await this.open();
    const { migrate } = await opening();
    return migrate(url, environment);
  }

  /**
   * The connections to a database with this version's schema. An embedded database is migrated first.
   *
   * @throws StartError if the database cannot be reached
   * @throws CommandError `database_not_migrated`
   */
  dataSource(): Promise<DataSource> {
    this.connected ??= this.connect();
    return this.connected;
  }

  /**
   * The database as it is, whatever its schema.
   *
   * @throws StartError if the embedded database cannot be started
   */
  open(): Promise<OpenDatabase> {
    this.opened ??= opening().then(({ openDatabase }) =>
      openDatabase(this.environment, {
        role: 'command',
        signal: this.closing.signal,
        say: this.say,
      }),
    );
    return this.opened;
  }

  /** A database that could not be opened need not be closed; the reason was printed when it failed. */
  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    const [connected, opened] = await Promise.allSettled([this.connected, this.opened]);
    if (connected.status === 'fulfilled') await connected.value?.destroy();
    if (opened.status === 'fulfilled') await opened.value?.close();
  }

  private readonly say = (sentence: string): void => {
    this.context.say(sentence);
  };

  private async connect(): Promise<DataSource> {
    const { url, environment, isEmbedded } = await this.open();
    const { connectMigrated, migrate } = await opening();
    if (isEmbedded) {
      await migrate(url, environment);
      await this.steps.beforeUse(url, environment, this.say);
    }
    return connectMigrated(url, environment, { entities: await this.steps.entities() });
  }
}

/** A {@link UnitOfWork} that connects with its first transaction. It has only what commands use: no fair queue, dry runs or metrics. */
@Injectable()
export class LazyUnitOfWork implements Omit<
  UnitOfWork,
  'connections' | 'answeredAtMs' | 'dryRun' | 'inFairQueue' | 'readInFairQueue'
> {
  private unitOfWork?: UnitOfWork;

  constructor(private readonly database: CommandDatabase) {}

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.connected()).write(work);
  }

  async query<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.connected()).query(work);
  }

  async *stream<T>(read: (tx: Tx) => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    yield* (await this.connected()).stream(read);
  }

  async atSupplier<T>(importSupplierId: number, work: (node: SupplierWork) => Promise<T>): Promise<T> {
    return (await this.connected()).atSupplier(importSupplierId, work);
  }

  async queryAt<T>(importSupplierId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.connected()).queryAt(importSupplierId, work);
  }

  async queryOf<T>(
    importSupplierIds: readonly number[],
    work: (tx: Tx, importSupplierIds: readonly number[]) => Promise<T[]>,
  ): Promise<T[]> {
    return (await this.connected()).queryOf(importSupplierIds, work);
  }

  async joinAtSupplier<T>(tx: Tx, importSupplierId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.connected()).joinAtSupplier(tx, importSupplierId, work);
  }

  async onCoordinator<T>(importSupplierId: number, work: () => Promise<T>): Promise<T> {
    return (await this.connected()).onCoordinator(importSupplierId, work);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.unitOfWork?.onApplicationShutdown();
  }

  private async connected(): Promise<UnitOfWork> {
    const dataSource = await this.database.dataSource();
    this.unitOfWork ??= new UnitOfWork(dataSource);
    return this.unitOfWork;
  }
}
