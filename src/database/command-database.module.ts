import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CommandDatabase, LazyUnitOfWork, LOAD_ENTITIES, type LoadEntities } from './command-database.js';
import { UnitOfWork } from './unit-of-work.js';

/** What DatabaseModule is to the service: the database of an operator command, opened by its first use. */
@Global()
@Module({
  providers: [CommandDatabase, { provide: UnitOfWork, useClass: LazyUnitOfWork }],
  exports: [CommandDatabase, UnitOfWork],
})
export class CommandDatabaseModule {
  static with(loadEntities: LoadEntities): DynamicModule {
    return {
      module: CommandDatabaseModule,
      providers: [{ provide: LOAD_ENTITIES, useValue: loadEntities }],
    };
  }
}
