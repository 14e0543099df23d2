import { Inject } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { SubCommand } from 'nest-commander';
import { ONE_SUPPLIER, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { each } from '../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { printable } from '../../infrastructure/text/printable.js';
import type { Spool } from '../../infrastructure/files/spool.js';
import type { DocumentsReport, DocumentsService, MissingDocument } from './documents.service.js';

@SubCommand({
  name: 'check',
  description: 'look up documents not found yet, and list the missing ones',
  ...ONE_SUPPLIER,
})
export class CheckDocumentsCommand extends OperatorCommand<[code: string]> {
  @Inject(LazyModuleLoader) private readonly modules: LazyModuleLoader;

  protected async execute([code]: [string]): Promise<CommandResult> {
    const documents = await this.documents();
    const total = await documents.countNotSeen(code);
    const progress = this.context.progress({ total, unit: 'documents' });
    const { operator, interrupted } = this.context;
    const report = await documents
      .check(code, { operator, interrupted, onProgress: progress.advance })
      .finally(progress.stop);
    if (interrupted.aborted) {
      this.context.say('Interrupted: run the command again to look up the remaining documents.');
    }
    if (report.elsewhere > 0) {
      this.context.say(
        `${report.elsewhere} documents were stored while DOCUMENT_STORE named another place, and could not be looked up.`,
      );
    }
    return { ...toResult(report), exitCode: interrupted.aborted || report.elsewhere > 0 ? 1 : 0 };
  }

  /** Loaded on demand: the module reads DOCUMENT_STORE, and a wrong setting must not make the help fail. */
  private async documents(): Promise<DocumentsService> {
    const [{ DocumentsModule }, service] = await Promise.all([
      import('./documents.module.js'),
      import('./documents.service.js'),
    ]);
    return (await this.modules.load(() => DocumentsModule)).get(service.DocumentsService);
  }
}

/** `documents …` (choices, section 6). */
export const COMMANDS = moduleCommands([], { documents: [CheckDocumentsCommand] });

/** Missing documents are a result of the command, not a failure. */
function toResult({ checked, missing }: DocumentsReport): CommandResult {
  return {
    json: { checked, missing: each(missing.drain(), toJson) },
    text: toText(missing, `Checked ${checked}, missing ${missing.length}.`),
  };
}

function toJson({ path, kind, externalAccountNumber }: MissingDocument): object {
  return { path, kind, external_account_number: externalAccountNumber };
}

async function* toText(missing: Spool<MissingDocument>, summary: string): AsyncGenerator<string> {
  for await (const { path, kind, externalAccountNumber } of missing.drain()) {
    yield printable(`${kind} of ${externalAccountNumber}: ${path}`) + '\n';
  }
  yield summary;
}
