import { LazyModuleLoader } from '@nestjs/core';
import type { CommandResult, CommandContext, RegisterCommands } from '../common/operator-command.js';
import { printable } from '../common/printable.js';
import type { Spool } from '../common/spool.js';
import { DocumentsService, type DocumentsReport, type MissingDocument } from './documents.service.js';

/** `documents check` (contract, section 6). */
export const registerDocumentsCommands: RegisterCommands = (program, action) => {
  program
    .command('documents')
    .description('the documents that notes and statements refer to')
    .command('check')
    .description('look up every document that was not seen yet, and list the missing ones')
    .argument('<code>', 'code of the supplier')
    .action(action(check));
};

async function check(session: CommandContext, code: string): Promise<CommandResult> {
  const services = await session.services();
  const { DocumentsModule } = await import('./documents.module.js');
  const room = await services.get(LazyModuleLoader).load(() => DocumentsModule);
  const service = room.get(DocumentsService);
  const progress = session.progress({ total: await service.countNotSeen(code), unit: 'documents' });
  const { interrupted } = session;
  let report: DocumentsReport;
  try {
    report = await service.check(code, { interrupted, onProgress: progress.advance });
  } finally {
    progress.stop();
  }
  if (interrupted.aborted) {
    session.say('Interrupted: what was seen is remembered; run the command again for the rest.');
  }
  if (report.elsewhere > 0) {
    session.say(
      `${report.elsewhere} documents were stored while DOCUMENT_STORE named another place, and could not be looked up.`,
    );
  }
  return { ...toResult(report), exitCode: interrupted.aborted || report.elsewhere > 0 ? 1 : 0 };
}

/** A missing document is what was asked for, not a failure of the command. */
function toResult({ checked, missing }: DocumentsReport): CommandResult {
  return {
    json: { checked, missing: toJson(missing) },
    text: toText(missing, `Checked ${checked}, missing ${missing.length}.`),
  };
}

async function* toJson(missing: Spool<MissingDocument>): AsyncGenerator<object> {
  for await (const { path, kind, externalAccountNumber } of missing.drain()) {
    yield { path, kind, external_account_number: externalAccountNumber };
  }
}

async function* toText(missing: Spool<MissingDocument>, summary: string): AsyncGenerator<string> {
  for await (const { path, kind, externalAccountNumber } of missing.drain()) {
    yield printable(`${kind} of ${externalAccountNumber}: ${path}`) + '\n';
  }
  yield summary;
}
