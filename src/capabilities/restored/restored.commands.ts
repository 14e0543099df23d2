import { resolve } from 'node:path';
import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { REASON, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { ENVIRONMENT, type Environment } from '../../infrastructure/config/settings.js';
import { documentBucket, documentStoreAddress } from '../../documents/document-location.js';
import { BackupService } from './backup.service.js';
import { RestoredService } from './restored.service.js';
import { restoredText } from './restored-text.js';
import { RestoredModule } from './restored.module.js';

const MEGABYTE = 1_000_000;

@SubCommand({
  name: 'backup',
  description: 'copy the embedded database and its secrets, while nothing uses them',
  arguments: '<folder>',
  argsDescription: { folder: 'folder to write to; it must be new or empty' },
})
export class BackupDatabaseCommand extends OperatorCommand<[folder: string]> {
  @Inject(BackupService) private readonly backups: BackupService;
  @Inject(ENVIRONMENT) private readonly environment: Environment;

  protected async execute([given]: [string]): Promise<CommandResult> {
    const folder = resolve(this.context.cwd, given);
    const { bytes, files } = await this.backups.copy(folder, this.context.interrupted);
    const text = [
      `Copied to ${folder}: ${(bytes / MEGABYTE).toFixed(1)} MB in ${files} files. Keep it as safe as the database: customers’ data and keys are in it.`,
      `The documents are not in it: they are in ${documentBucket(documentStoreAddress(this.environment))}. Nor is the key of a setting TOKEN_SIGNING_KEY.`,
    ];
    return { json: { folder, bytes, files }, text: text.join('\n') };
  }
}

@SubCommand({
  name: 'restored',
  description:
    'after a restore of your own PostgreSQL: end sessions, begin new epochs of the feed, list the keys',
})
@Options({ '--reason <text>': REASON })
export class RestoredDatabaseCommand extends OperatorCommand<[], { readonly reason: string }> {
  @Inject(RestoredService) private readonly service: RestoredService;

  protected async execute(_args: [], { reason }: { readonly reason: string }): Promise<CommandResult> {
    const report = await this.service.restored(reason, this.context.operator);
    return { json: report, text: restoredText(report) };
  }
}

export const COMMANDS = moduleCommands([RestoredModule], {
  database: [BackupDatabaseCommand, RestoredDatabaseCommand],
});
