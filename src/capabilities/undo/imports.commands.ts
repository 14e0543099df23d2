import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import {
  InvalidOptionError,
  ONE_SUPPLIER,
  REASON_OF_REMOVAL,
  dateTimeOf,
  oneOf,
  someText,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { pauseCommand } from '../../import-suppliers/import-suppliers.service.js';
import { isUuid } from '../../infrastructure/text/uuid.js';
import { describeSenders, ImportRequestsService } from './import-requests.service.js';
import type { ChosenRequests, RequestCounts } from './import-requests.types.js';
import type { ImportRun, StoredRequest } from '../request-log/requests/stored-requests.types.js';
import { UndoService, type UndoOutcome } from './undo.service.js';
import { IMPORT_KINDS, type ItemCounts } from '../../infrastructure/item-names/item-names.js';
import { countRows } from '../../ingest/kinds/items.js';
import { UndoModule } from './undo.module.js';

/** The options that choose import requests. */
const FILTER = {
  '--account <number>': {
    description: 'only requests for this account of the supplier',
    name: 'externalAccountNumber',
  },
  '--since <date-time>': {
    description: 'only requests from this time on, such as 2026-11-22T00:00:00Z',
    parse: dateTimeOf,
  },
  '--until <date-time>': { description: 'only requests before this time', parse: dateTimeOf },
  '--api-key <id>': {
    description: 'only requests that were sent with this API key',
    parse: apiKeyId,
    name: 'apiKeyId',
  },
  '--kind <kind>': { description: 'only requests of this kind', ...oneOf(IMPORT_KINDS) },
  '--request-prefix <text>': {
    description: 'only requests whose ids begin with this text, such as those of one run of the loader',
    parse: someText,
  },
  '--organisation <name>': 'only requests that were sent by this organisation (its name or id)',
};

function apiKeyId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidOptionError('Expected the id of an API key, as "api-key list" shows.');
}

interface ListOptions extends ChosenRequests {
  readonly runs?: boolean;
  readonly requests?: boolean;
}

@SubCommand({
  name: 'list',
  description: 'list the runs of the loader that stored or were refused something, newest first',
  ...ONE_SUPPLIER,
})
@Options({
  ...FILTER,
  '--requests': 'list the requests that stored something, one by one, as --json does',
  '--runs': 'list runs, also with --json',
})
export class ListImportRequestsCommand extends OperatorCommand<[code: string], ListOptions> {
  @Inject(ImportRequestsService) private readonly requests: ImportRequestsService;

  protected execute(
    [code]: [string],
    { runs = false, requests = false, ...chosen }: ListOptions,
  ): Promise<CommandResult> {
    if (runs && requests) this.command.error('error: name --runs or --requests, not both');
    const ofRequests = listed(this.requests.list(code, chosen), REQUESTS);
    const ofRuns = listed(this.requests.runs(code, chosen), RUNS);
    return Promise.resolve({
      json: runs ? ofRuns.json : ofRequests.json,
      text: requests ? ofRequests.text : ofRuns.text,
    });
  }
}

const REQUESTS: Listing<StoredRequest> = {
  json: ({ request_id, at, kind, external_account_number, api_key_id, counts, undone_at }) => ({
    ...{ request_id, at: formatDateTime(at), kind, external_account_number, api_key_id, counts },
    undone_at: undone_at && formatDateTime(undone_at),
  }),
  head: ['Time', 'Request', 'Account', 'Stored', 'Undone', 'Key'],
  row: ({ at, request_id, external_account_number, api_key_id, sender, counts, undone_at }) => [
    ...[formatDateTime(at), request_id, external_account_number, countsText(counts)],
    ...[undone_at ? formatDateTime(undone_at) : '', sender ? `${sender.label} (${api_key_id})` : api_key_id],
  ],
  none: 'No import request was found.',
};

const RUNS: Listing<ImportRun> = {
  json: ({ firstAt, lastAt, ...run }) => ({
    ...{ run: run.run, organisation: run.organisation },
    ...{ first_at: formatDateTime(firstAt), last_at: formatDateTime(lastAt) },
    ...{ requests: run.requests, rows: run.rows, refused: run.refused, undone: run.undone },
  }),
  head: ['Run', 'Organisation', 'First request', 'Last request', 'Requests', 'Stored', 'Rejected', 'Undone'],
  row: ({ run, organisation, firstAt, lastAt, requests, rows, refused, undone }) => [
    ...[run ?? 'none', organisation ?? 'unknown', formatDateTime(firstAt), formatDateTime(lastAt)],
    ...[requests, countsText(rows), refused, undone],
  ],
  none: 'No import request was found.',
};

/** For example `notes 2, transactions 10`. */
function countsText(counts: ItemCounts): string {
  return countRows(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name.toLowerCase()} ${count}`)
    .join(', ');
}

interface UndoOptions extends ChosenRequests {
  readonly reason?: string;
  readonly yes?: boolean;
}

@SubCommand({
  name: 'undo',
  description: 'remove what import requests have stored, so that it can be sent again',
  arguments: '<code> [request-id]',
  argsDescription: {
    code: 'code of the supplier, which must be paused',
    'request-id': 'id of the request; or options that choose several',
  },
})
@Options({
  ...FILTER,
  // Commander does not require it, because its error would leave out what else is missing.
  '--reason <text>': {
    description: `${REASON_OF_REMOVAL.description} (required)`,
    parse: REASON_OF_REMOVAL.parse,
  },
  '--yes': 'confirm that all requests found are undone',
})
export class UndoImportRequestsCommand extends OperatorCommand<
  [code: string, ...requestId: string[]],
  UndoOptions
> {
  @Inject(ImportRequestsService) private readonly requests: ImportRequestsService;
  @Inject(UndoService) private readonly undos: UndoService;

  protected async execute(
    [code, requestId]: [string, ...string[]],
    { reason: given, yes = false, ...filter }: UndoOptions,
  ): Promise<CommandResult> {
    const chosen = this.chosen(requestId, filter);
    const reasonFor = (counts: RequestCounts): string => {
      if (requestId !== undefined && counts.all === 0) throw requestNotFound(code, requestId);
      const isConfirmed = yes || (requestId !== undefined && counts.requests <= 1);
      return given !== undefined && isConfirmed ? given : this.ask(code, counts, given, isConfirmed);
    };
    if (given === undefined || !yes) reasonFor(await this.requests.countToUndo(code, chosen));
    const { operator, interrupted } = this.context;
    const counts = await this.undos.prepare(code, chosen, interrupted, () => {
      this.context.say('Waiting for import requests that began before the supplier was paused …');
    });
    const reason = reasonFor(counts);
    const unit = `rows of ${counts.requests} import requests`;
    const progress = this.context.progress({ total: counts.rows, unit });
    const outcome = await this.undos
      .undo({ importSupplier: code, chosen, reason, operator, interrupted, onProgress: progress.advance })
      .finally(progress.stop);
    if (interrupted.aborted) {
      this.context.say('Interrupted: run the command again to undo the remaining import requests.');
    }
    return { json: outcome, text: textOf(outcome), exitCode: interrupted.aborted ? 1 : 0 };
  }

  /** The requests with one id, optionally of one organisation, or those that at least one option chooses. */
  private chosen(requestId: string | undefined, filter: ChosenRequests): ChosenRequests {
    const { organisation, ...others } = filter;
    if (requestId === undefined) {
      if (Object.keys(filter).length > 0) return filter;
      this.command.error('error: name a request id, or at least one option that chooses import requests');
    }
    if (Object.keys(others).length > 0) {
      this.command.error('error: name a request id, or options that choose import requests, not both');
    }
    return { requestId, organisation };
  }

  /** Says what would be undone, and everything that is missing for it. */
  private ask(
    code: string,
    { requests, rows, senders, isPaused }: RequestCounts,
    reason: string | undefined,
    isConfirmed: boolean,
  ): never {
    const bySenders = senders.length === 0 ? '' : ` (${describeSenders(senders)})`;
    const pause = isPaused ? '' : `pause the supplier with "${pauseCommand(code)}", and `;
    const options = [
      ...(reason === undefined ? ['--reason TEXT'] : []),
      ...(isConfirmed ? [] : ['--yes to confirm it']),
    ];
    this.command.error(
      `error: this undoes ${requests} import requests of ${code}, which have stored ${rows} rows${bySenders}; ${pause}add ${options.join(' and ')}`,
    );
  }
}

function requestNotFound(code: string, requestId: string): CommandError {
  return new CommandError(
    'import_request_not_found',
    `No import request of ${code} with the id ${JSON.stringify(requestId)} has stored anything.`,
  );
}

function textOf({ requests, rows }: UndoOutcome): string {
  if (requests === 0) return 'Nothing was undone: no such import request is left.';
  const counts = countRows(rows).map(([name, count]) => `${name.toLowerCase()} ${count}`);
  return `Undone: import requests ${requests}; removed: ${counts.join(', ')}.
Rows that later requests sent again are removed too. "data-import-loader load FOLDER" detects missing rows and sends
them again. "data-import-loader verify FOLDER" compares.`;
}

/** `imports …` (choice V7). */
export const COMMANDS = moduleCommands([UndoModule], {
  imports: [ListImportRequestsCommand, UndoImportRequestsCommand],
});
