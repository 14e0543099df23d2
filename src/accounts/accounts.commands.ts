import { createReadStream, fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { formatDateTime } from '../common/dates.js';
import type {
  CommandResult,
  CommandContext,
  Progress,
  RegisterCommands,
} from '../common/operator-command.js';
import { printable } from '../common/printable.js';
import { CommandError } from '../common/command-error.js';
import type { Spool } from '../common/spool.js';
import { table } from '../common/table.js';
import { ImportingService } from './importing/importing.service.js';
import type { ItemCounts } from './import-progress.types.js';
import { ImportProgressService } from './import-progress.service.js';
import { readStagingFile, STAGING_FORMATS, type StagingFormat } from './staging/staging-file.js';
import { StagingService, type BadLine, type StagingOutcome } from './staging/staging.service.js';

/** Importers at work in one command, at most and by default. */
const CONCURRENCY_MAX = 16;
const CONCURRENCY_DEFAULT = 2;

/** How much of a file is read at a time. */
const CHUNK_BYTES = 262_144;

/** `accounts …` and `migration …` (contract, section 6). */
export const registerAccountsCommands: RegisterCommands = (program, action) => {
  const accounts = program.command('accounts').description('accounts to be migrated: stage, import, look up');

  accounts
    .command('stage')
    .description('check every line of a file, stage the good ones, name each bad one and why')
    .argument('<code>', 'code of the supplier')
    .argument('<file>', 'NDJSON, or CSV when its name ends in .csv; - for standard input')
    .addOption(
      new Option('--format <format>', 'how the file is written, whatever its name').choices(STAGING_FORMATS),
    )
    .action(
      action(async (session, code: string, file: string, { format }: { format?: StagingFormat }) => {
        const service = (await session.services()).get(StagingService, { strict: false });
        const source = await openSource(session, file);
        try {
          const readings = readStagingFile(format ?? formatOf(file), source.chunks);
          return stagingResult(session, await service.stage(code, readings, session.interrupted));
        } finally {
          source.close();
        }
      }),
    );

  accounts
    .command('import')
    .description(
      'create platform accounts for what is pending; may be run twice at once, stopped and repeated',
    )
    .argument('<code>', 'code of the supplier')
    .option('--limit <n>', 'most accounts to go through', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option(
      '--concurrency <n>',
      `importers at work at the same time, 1 to ${CONCURRENCY_MAX}, and no more than DATABASE_POOL_MAX`,
      wholeNumber(1, CONCURRENCY_MAX),
      CONCURRENCY_DEFAULT,
    )
    .action(
      action(async (session, code: string, options: { limit?: number; concurrency: number }) => {
        const service = (await session.services()).get(ImportingService, { strict: false });
        const pending = await service.countPending(code);
        const progress = session.progress({
          total: Math.min(pending, options.limit ?? Infinity),
          unit: 'accounts',
        });
        const { interrupted } = session;
        const outcome = await finishing(progress, () =>
          service.import(code, { ...options, interrupted, onProgress: progress.advance }),
        );
        if (interrupted.aborted) {
          session.say('Interrupted: what was begun is finished; run the command again for the rest.');
        }
        const { imported, failed, remaining } = outcome;
        return {
          json: { imported, failed, remaining },
          text: `Imported ${imported}, failed ${failed}, remaining ${remaining}.`,
          exitCode: interrupted.aborted ? 1 : 0,
        };
      }),
    );

  accounts
    .command('show')
    .description('everything known of one account')
    .argument('<code>', 'code of the supplier')
    .argument('<external-number>', 'account number in the supplier’s own system')
    .action(action(showAccount));

  program
    .command('migration')
    .description('how far a migration is')
    .command('status')
    .description('accounts by state, what was loaded, the last error')
    .argument('<code>', 'code of the supplier')
    .action(action(showStatus));
};

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      max === Number.MAX_SAFE_INTEGER
        ? `It must be a whole number from ${min} on.`
        : `It must be a whole number from ${min} to ${max}.`,
    );
  };
}

function formatOf(file: string): StagingFormat {
  return file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/** A file, or standard input, with a bar that shows how far it is read. */
async function openSource(
  session: CommandContext,
  file: string,
): Promise<{ chunks: AsyncIterable<Buffer>; close: () => void }> {
  if (file === '-') {
    // Reading a folder would end at once, as an empty file does.
    if (fstatSync(process.stdin.fd).isDirectory()) throw unreadable(file, new Error('it is a folder'));
    return { chunks: process.stdin, close: () => process.stdin.destroy() };
  }
  const path = resolve(session.calledFrom, file);
  try {
    const { size } = await stat(path);
    const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    const progress = session.progress({ total: size, unit: 'bytes' });
    return {
      chunks: told(readable(stream, file), progress),
      close: () => {
        progress.stop();
        stream.destroy();
      },
    };
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function* readable(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    if (next.done === true) return;
    yield next.value;
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError(
    'file_not_readable',
    `The file ${file} cannot be read: ${(cause as Error).message}.`,
    {
      cause,
    },
  );
}

async function* told(chunks: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    progress.advance(chunk.length);
  }
}

async function finishing<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    progress.stop();
  }
}

function stagingResult(session: CommandContext, outcome: StagingOutcome): CommandResult {
  const { staged, replaced, skipped, skippedNumbers, badLines, isInterrupted } = outcome;
  if (skippedNumbers.length > 0) {
    const more = skipped - skippedNumbers.length;
    const inAll = more > 0 ? ` (${skipped} lines in all)` : '';
    session.say(`Imported already, so skipped: ${printable(skippedNumbers.join(', '))}${inAll}.`);
  }
  if (isInterrupted) session.say('Interrupted: stage the file again to complete it.');
  const summary = `Staged ${staged}, replaced ${replaced}, skipped ${skipped}, bad ${badLines.length}.`;
  return {
    json: { staged, replaced, skipped, errors: badLines.drain() },
    text: badLines.length === 0 ? summary : badLinesAsText(badLines, summary),
    exitCode: badLines.length > 0 || isInterrupted ? 1 : 0,
  };
}

async function* badLinesAsText(badLines: Spool<BadLine>, summary: string): AsyncGenerator<string> {
  for await (const { line, code, detail } of badLines.drain()) {
    // The detail may repeat what the file holds.
    yield `line ${line}: ${code}: ${printable(detail)}\n`;
  }
  yield summary;
}

async function showAccount(session: CommandContext, code: string, number: string): Promise<CommandResult> {
  const service = (await session.services()).get(ImportProgressService, { strict: false });
  const account = await service.account({ importSupplier: code, externalAccountNumber: number });
  const createdAt = account.accountCreatedAt && formatDateTime(account.accountCreatedAt);
  const rows = [
    ['Import supplier', code],
    ['External number', number],
    ['Status', account.state],
    ...(account.failure === null ? [] : [['Failure', account.failure]]),
    ['Platform number', account.serviceAccountNumber ?? 'none'],
    ['Created at', createdAt ?? 'not yet'],
    ['Open period from', account.openStatementFrom ?? 'the day of import'],
    ['Open period to', account.openStatementTo ?? 'today'],
    ...loadRows(account.counts),
  ];
  return {
    json: {
      import_supplier: code,
      external_account_number: number,
      status: account.state,
      service_account_number: account.serviceAccountNumber,
      account_created_at: createdAt,
      open_statement_from: account.openStatementFrom,
      open_statement_to: account.openStatementTo,
      counts: account.counts,
    },
    text: table([], rows),
  };
}

async function showStatus(session: CommandContext, code: string): Promise<CommandResult> {
  const service = (await session.services()).get(ImportProgressService, { strict: false });
  const { status, accounts, items, lastError } = await service.supplier(code);
  const rows = [
    ['Import supplier', code],
    ['Status', status],
    ['Accounts pending', accounts.pending],
    ['In progress', accounts.in_progress],
    ['Imported', accounts.imported],
    ['Failed', accounts.failed],
    ...loadRows(items),
    ['Last error', lastError ? `${lastError.externalAccountNumber}: ${lastError.failure}` : 'none'],
  ];
  return {
    json: {
      import_supplier: code,
      status,
      accounts,
      loads: items,
      last_error: lastError
        ? { external_account_number: lastError.externalAccountNumber, detail: lastError.failure }
        : null,
    },
    text: table([], rows),
  };
}

function loadRows(counts: ItemCounts): [string, number][] {
  return [
    ['Notes', counts.notes],
    ['Transactions', counts.transactions],
    ['Statements', counts.statements],
    ['Payment instructions', counts.payment_instructions],
  ];
}
