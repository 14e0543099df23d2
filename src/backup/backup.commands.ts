import { resolve } from 'node:path';
import type { Type } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Option, SubCommand } from 'nest-commander';
import type { CommandContext, CommandResult, Progress } from '../common/command-line.js';
import { OperatorCommand } from '../common/operator-command.js';
import type { BackupReport } from './backup.service.js';
import type { Reporter } from './backup.types.js';
import type { RestoreReport } from './restore.service.js';

@SubCommand({
  name: 'backup',
  description: 'back up the embedded PostgreSQL, also while the service runs',
  arguments: '<folder>',
  argsDescription: { folder: 'folder to write to; it must be new or empty' },
})
export class BackupDatabaseCommand extends OperatorCommand<[folder: string], { documents?: boolean }> {
  constructor(private readonly modules: LazyModuleLoader) {
    super();
  }

  @Option({ flags: '--documents', description: 'also copy the documents, if they are in a folder' })
  parseDocuments(): boolean {
    return true;
  }

  protected async execute(
    [folder]: [string],
    { documents = false }: { documents?: boolean },
  ): Promise<CommandResult> {
    const { BackupService } = await import('./backup.service.js');
    const service = await load(this.modules, BackupService);
    return reporting(this.context, async (reporter) =>
      toBackupResult(await service.backUp(resolve(this.context.cwd, folder), documents, reporter)),
    );
  }
}

@SubCommand({
  name: 'restore',
  description: 'restore a backup into an empty DATA_DIR',
  arguments: '<folder>',
  argsDescription: { folder: 'folder that "database backup" wrote' },
})
export class RestoreDatabaseCommand extends OperatorCommand<[folder: string]> {
  constructor(private readonly modules: LazyModuleLoader) {
    super();
  }

  protected async execute([given]: [string]): Promise<CommandResult> {
    const { RestoreService } = await import('./restore.service.js');
    const service = await load(this.modules, RestoreService);
    const folder = resolve(this.context.cwd, given);
    return reporting(this.context, async (reporter) => {
      const report = await service.restore(folder, this.context.operator, reporter);
      for (const sentence of service.remaining(folder, report.manifest)) this.context.say(sentence);
      return toRestoreResult(folder, report);
    });
  }
}

/** The services are loaded when they are needed, with the driver of the database and the reader of archives. */
async function load<Service>(modules: LazyModuleLoader, service: Type<Service>): Promise<Service> {
  const { BackupModule } = await import('./backup.module.js');
  return (await modules.load(() => BackupModule)).get(service);
}

const MEGABYTE = 1_000_000;

/** Run a long command that shows how far it is, on a bar at a time. */
async function reporting<Result>(
  context: CommandContext,
  run: (reporter: Reporter) => Promise<Result>,
): Promise<Result> {
  let progress: Progress | undefined;
  const say = (sentence: string): void => {
    progress?.stop();
    progress = undefined;
    context.say(sentence);
  };
  const measure = (totalBytes: number): ((bytes: number) => void) => {
    progress?.stop();
    const bar = context.progress({ total: totalBytes, unit: 'bytes' });
    progress = bar;
    return bar.advance;
  };
  try {
    return await run({ interrupted: context.interrupted, say, measure });
  } finally {
    progress?.stop();
  }
}

function toBackupResult(report: BackupReport): CommandResult {
  const { folder, bytes, files, documentsNotCopied, manifest } = report;
  const { started_at, documents, documents_copied } = manifest;
  const copied = documents_copied === null ? 'none copied' : `${documents_copied} files copied`;
  const lines = [
    `Backed up to ${folder}: ${(bytes / MEGABYTE).toFixed(1)} MB in ${files} files, ${documents} documents listed, ${copied}.`,
    'It contains customers’ data and keys: keep it as safe as the database.',
    ...(documentsNotCopied > 0
      ? [
          `${documentsNotCopied} documents could not be copied; they are listed above. The backup contains everything else.`,
        ]
      : []),
    ...(manifest.signing_key === 'setting'
      ? [
          'The signing key is a setting (TOKEN_SIGNING_KEY) and not in the backup: keep it with your settings.',
        ]
      : []),
  ];
  return {
    json: {
      folder,
      started_at,
      bytes,
      files,
      documents,
      documents_copied,
      documents_not_copied: documentsNotCopied,
    },
    text: lines.join('\n'),
    exitCode: documentsNotCopied > 0 ? 1 : 0,
  };
}

function toRestoreResult(folder: string, report: RestoreReport): CommandResult {
  const { manifest, dataDir, organisations, importSuppliers, accounts } = report;
  return {
    json: {
      folder,
      data_dir: dataDir,
      started_at: manifest.started_at,
      organisations,
      import_suppliers: importSuppliers,
      accounts,
      documents_restored: report.documentsRestored,
    },
    text: `Restored to ${dataDir} what was stored at ${manifest.started_at}: ${organisations} organisations, ${importSuppliers} import suppliers, ${accounts} accounts.`,
  };
}
