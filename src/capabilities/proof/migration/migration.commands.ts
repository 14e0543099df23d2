import { Inject } from '@nestjs/common';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SubCommand } from 'nest-commander';
import { writtenControl } from '../../../accounts/counts/account-counts.types.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { writeFileDurably } from '../../../infrastructure/files/durable-files.js';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { formatHundredths } from '../../../infrastructure/text/money.js';
import { ONE_SUPPLIER, someText, type CommandResult } from '../../../infrastructure/commands/command-line.js';
import { each } from '../../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../../infrastructure/commands/operator-command.js';
import { Options } from '../../../infrastructure/commands/options.js';
import { systemReason } from '../../../infrastructure/config/system-reason.js';
import { printable } from '../../../infrastructure/text/printable.js';
import { certificatePage } from './certificate.page.js';
import { CertificateService, type Certificate } from './certificate.service.js';
import { CompletionService, type Completion } from './completion.service.js';
import { isWhole, type ControlDifference } from './migration.types.js';
import { MigrationStatusCommand } from './status.command.js';
import { countRows } from '../../../ingest/kinds/items.js';
import { MigrationOperationsModule } from './migration-operations.module.js';

@SubCommand({
  name: 'differences',
  description: 'count the rows of the accounts with control totals, and list the accounts that differ',
  ...ONE_SUPPLIER,
})
export class ListDifferencesCommand extends OperatorCommand<[code: string]> {
  @Inject(CompletionService) private readonly completion: CompletionService;

  protected async execute([code]: [string]): Promise<CommandResult> {
    const differences = await this.completion.differences(code);
    return { json: each(differences, differenceAsJson), text: differencesAsText(differences) };
  }
}

function differenceAsJson({ externalAccountNumber, expected, found }: ControlDifference): object {
  return {
    external_account_number: externalAccountNumber,
    expected: writtenControl(expected),
    found: writtenControl(found),
  };
}

async function* differencesAsText(differences: AsyncIterable<ControlDifference>): AsyncGenerator<string> {
  let count = 0;
  for await (const { externalAccountNumber, expected, found } of differences) {
    count += 1;
    const parts = (Object.keys(found) as (keyof typeof found)[])
      .filter((name) => expected[name] !== null && expected[name] !== found[name])
      .map((name) => `${name.replaceAll('_', ' ')} ${found[name]} instead of ${expected[name]}`);
    yield `${printable(externalAccountNumber)}: ${parts.join(', ')}\n`;
  }
  yield count === 0
    ? 'No account differs from its control totals.'
    : `${count} ${count === 1 ? 'account differs' : 'accounts differ'} from the control totals.`;
}

interface CompleteOptions {
  readonly force?: boolean;
  readonly reason?: string;
}

@SubCommand({
  name: 'complete',
  description: 'set a supplier to complete when every account is imported and none differs',
  ...ONE_SUPPLIER,
})
@Options({
  '--force': 'complete it although something is missing',
  '--reason <text>': { description: 'reason why it is forced; recorded permanently', parse: someText },
})
export class CompleteMigrationCommand extends OperatorCommand<[code: string], CompleteOptions> {
  @Inject(CompletionService) private readonly completion: CompletionService;

  protected async execute([code]: [string], { force, reason }: CompleteOptions): Promise<CommandResult> {
    if ((force === true) !== (reason !== undefined)) {
      this.command.error('error: --force and --reason are given together');
    }
    const { operator, interrupted } = this.context;
    const completion = await this.completion.complete({
      ...{ importSupplier: code, reason, operator, interrupted },
      onLongWait: () => {
        this.context.say('Waiting for requests that began before the supplier was paused …');
      },
    });
    if (completion.status !== 'complete' && interrupted.aborted) {
      this.context.say('Interrupted: run the command again to complete the migration.');
    }
    return completed(code, completion, reason !== undefined);
  }
}

/** @param isForced whether it may be complete although something is missing */
function completed(code: string, completion: Completion, isForced: boolean): CommandResult {
  const { status, accounts, control } = completion;
  const counts = {
    accounts,
    control: { with: control.with, agree: control.with - control.differ, differ: control.differ },
  };
  const numbers = `${accounts.imported} accounts are imported, ${accounts.pending} pending, ${accounts.in_progress} in progress, ${accounts.failed} failed; ${control.differ} of ${control.with} with control totals differ.`;
  if (status === 'complete' && (isForced || isWhole(completion))) {
    return {
      json: { import_supplier: code, status, ...counts },
      text: `The migration is complete: ${numbers}`,
    };
  }
  const detail = `The migration is not complete; the supplier is ${status} as before: ${numbers}`;
  return {
    json: { error: { code: 'migration_not_complete', detail, ...counts } },
    text: detail,
    exitCode: 1,
  };
}

interface CertificateOptions {
  readonly html?: string;
}

@SubCommand({
  name: 'certificate',
  description: 'print the counts, the sums and the digest of everything that the accounts of a supplier hold',
  ...ONE_SUPPLIER,
})
@Options({ '--html <file>': 'also write it as a printable page; an existing file is replaced' })
export class CertifyMigrationCommand extends OperatorCommand<[code: string], CertificateOptions> {
  @Inject(CertificateService) private readonly certificates: CertificateService;

  protected async execute([code]: [string], { html }: CertificateOptions): Promise<CommandResult> {
    const { context } = this;
    const file = html === undefined ? undefined : resolve(context.cwd, html);
    if (file !== undefined) await expectWritable(file);
    const total = await this.certificates.countAccounts(code);
    const bar = context.progress({ total, unit: 'accounts' });
    try {
      const certificate = await this.certificates.certify(code, context.interrupted, () => {
        bar.advance(1);
      });
      if (file !== undefined) await writePage(file, certificatePage(certificate));
      return {
        json: certificateAsJson(certificate),
        text: { head: [], rows: certificateAsRows(certificate) },
      };
    } finally {
      bar.stop();
    }
  }
}

/** Check that the file can be written before everything is counted. @throws CommandError `file_not_writable` */
async function expectWritable(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory() === true)
    throw notWritable(path, 'it is a folder');
  // The dot makes this fail when the path is not a directory.
  await access(`${dirname(path)}/.`, constants.W_OK).catch((cause: unknown) => {
    throw notWritable(path, `its folder cannot be used, ${systemReason(cause)}`, cause);
  });
}

/** @throws CommandError `file_not_writable` */
async function writePage(path: string, text: string): Promise<void> {
  await writeFileDurably(path, text).catch((cause: unknown) => {
    throw notWritable(path, systemReason(cause), cause);
  });
}

function notWritable(path: string, reason: string, cause?: unknown): CommandError {
  return new CommandError('file_not_writable', `The file ${path} cannot be written: ${reason}.`, { cause });
}

function certificateAsJson({
  importSupplier,
  at,
  accounts,
  rows,
  amounts,
  control,
  digest,
}: Certificate): object {
  return {
    import_supplier: importSupplier,
    at: formatDateTime(at),
    accounts,
    rows,
    amounts: Object.fromEntries([...amounts].map(([type, amount]) => [type, formatHundredths(amount)])),
    control: { with: control.with, agree: control.with - control.differ, differ: control.differ },
    digest,
  };
}

function certificateAsRows(certificate: Certificate): (string | number)[][] {
  const { importSupplier, at, accounts, rows, amounts, control, digest } = certificate;
  return [
    ['Import supplier', importSupplier],
    ['Time', formatDateTime(at)],
    ['Accounts imported', accounts.imported],
    ['Pending', accounts.pending],
    ['In progress', accounts.in_progress],
    ['Failed', accounts.failed],
    ...countRows(rows),
    ...[...amounts].map(([type, amount]) => [`Amount of ${type}`, formatHundredths(amount)]),
    ['With control totals', control.with],
    ['Control total mismatches', control.differ],
    ['Digest', digest],
  ];
}

/** `migration …` (choices, section 6, V6, V8). */
export const COMMANDS = moduleCommands([MigrationOperationsModule], {
  migration: [
    MigrationStatusCommand,
    ListDifferencesCommand,
    CompleteMigrationCommand,
    CertifyMigrationCommand,
  ],
});
