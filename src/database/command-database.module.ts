import { Global, Module } from '@nestjs/common';
import { CommandDatabase, LazyUnitOfWork } from './command-database.js';
import { UnitOfWork } from './unit-of-work.js';

/** What DatabaseModule is to the service: the database of an operator command, opened by its first use. */
@Global()
@Module({
  providers: [CommandDatabase, { provide: UnitOfWork, useClass: LazyUnitOfWork }],
  exports: [CommandDatabase, UnitOfWork],
})
export class CommandDatabaseModule {}
