import { Inject, Injectable } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import {
  InvalidOptionError,
  ONE_SUPPLIER,
  REASON,
  choice,
  dateTimeOf,
  someText,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { printable } from '../../infrastructure/text/printable.js';
import { isUuid } from '../../infrastructure/text/uuid.js';
import { describeSenders, ImportRequestsService } from './import-requests.service.js';
import type { ChosenRequests, RequestCounts } from './import-requests.types.js';
import type { StoredRequest } from '../request-log/requests/stored-requests.types.js';
import { UndoService, type UndoOutcome } from './undo.service.js';
import { type ImportKind, IMPORT_KINDS } from '../../infrastructure/item-names/item-names.js';
import { countRows } from '../../ingest/kinds/items.js';
import { UndoModule } from './undo.module.js';

interface FilterOptions {
  readonly account?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly apiKey?: string;
  readonly kind?: ImportKind;
  readonly requestPrefix?: string;
  readonly organisation?: string;
}

/** The options that choose import requests. */
@Injectable()
abstract class ImportRequestsCommand<
  Arguments extends string[],
  Options extends FilterOptions,
> extends OperatorCommand<Arguments, Options> {
  @Option({ flags: '--account <number>', description: 'only requests for this account of the supplier' })
  parseAccount(text: string): string {
    return text;
  }

  @Option({
    flags: '--since <date-time>',
    description: 'only requests from this time on, such as 2026-11-22T00:00:00Z',
  })
  parseSince(text: string): Date {
    return dateTimeOf(text);
  }

  @Option({ flags: '--until <date-time>', description: 'only requests before this time' })
  parseUntil(text: string): Date {
    return dateTimeOf(text);
  }

  @Option({ flags: '--api-key <id>', description: 'only requests that were sent with this API key' })
  parseApiKey(text: string): string {
    if (!isUuid(text))
      throw new InvalidOptionError('Expected the id of an API key, as "api-key list" shows.');
    return text;
  }

  @Option({
    flags: '--kind <kind>',
    description: `only requests of this kind: ${IMPORT_KINDS.join(', ')}`,
  })
  parseKind(text: string): ImportKind {
    return choice(IMPORT_KINDS, text);
  }

  @Option({
    flags: '--request-prefix <text>',
    description: 'only requests whose ids begin with this text, such as those of one run of the loader',
  })
  parseRequestPrefix(text: string): string {
    return someText(text);
  }

  @Option({
    flags: '--organisation <name>',
    description: 'only requests that were sent by this organisation (its name or id)',
  })
  parseOrganisation(text: string): string {
    return text;
  }
}

function chosenBy(options: FilterOptions): ChosenRequests {
  const { account, since, until, apiKey, kind, requestPrefix, organisation } = options;
  return {
    externalAccountNumber: account,
    since,
    until,
    apiKeyId: apiKey,
    kind,
    requestPrefix,
    organisation,
  };
}

@SubCommand({
  name: 'list',
  description: 'list import requests that stored something, newest first',
  ...ONE_SUPPLIER,
})
export class ListImportRequestsCommand extends ImportRequestsCommand<[code: string], FilterOptions> {
  @Inject(ImportRequestsService) private readonly requests: ImportRequestsService;

  protected async execute([code]: [string], options: FilterOptions): Promise<CommandResult> {
    const found = await this.requests.list(code, chosenBy(options));
    return { json: toJson(found), text: toText(found) };
  }
}

async function* toJson(requests: AsyncIterable<StoredRequest>): AsyncGenerator<object> {
  for await (const request of requests) {
    const { request_id, at, kind, external_account_number, api_key_id, counts, undone_at } = request;
    yield {
      ...{ request_id, at: formatDateTime(at), kind, external_account_number, api_key_id, counts },
      undone_at: undone_at && formatDateTime(undone_at),
    };
  }
}

/** One request a line. */
async function* toText(requests: AsyncIterable<StoredRequest>): AsyncGenerator<string> {
  let separator = '';
  for await (const request of requests) {
    const { request_id, at, external_account_number, api_key_id, sender, counts, undone_at } = request;
    const stored = countRows(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name.toLowerCase()} ${count}`);
    const undone = undone_at ? [`undone ${formatDateTime(undone_at)}`] : [];
    const cells = [
      formatDateTime(at),
      request_id,
      `account ${external_account_number}`,
      ...stored,
      ...undone,
    ];
    yield (
      separator +
      printable([...cells, `key ${sender ? `${sender.label} (${api_key_id})` : api_key_id}`].join('  '))
    );
    separator = '\n';
  }
  if (separator === '') yield 'No import request was found.';
}

interface UndoOptions extends FilterOptions {
  readonly reason: string;
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
export class UndoImportRequestsCommand extends ImportRequestsCommand<
  [code: string, ...requestId: string[]],
  UndoOptions
> {
  @Inject(ImportRequestsService) private readonly requests: ImportRequestsService;
  @Inject(UndoService) private readonly undos: UndoService;

  @Option(REASON)
  parseReason(text: string): string {
    return someText(text);
  }

  @Option({ flags: '--yes', description: 'confirm that all requests found are undone' })
  parseYes(): boolean {
    return true;
  }

  protected async execute(
    [code, requestId]: [string, ...string[]],
    options: UndoOptions,
  ): Promise<CommandResult> {
    const chosen = this.chosen(requestId, options);
    const { reason, yes } = options;
    if (requestId === undefined && yes !== true) {
      this.confirm(code, await this.requests.countToUndo(code, chosen));
    }
    const { operator, interrupted } = this.context;
    const counts = await this.undos.prepare(code, chosen, interrupted, () => {
      this.context.say('Waiting for import requests that began before the supplier was paused …');
    });
    if (requestId !== undefined && counts.all === 0) throw requestNotFound(code, requestId);
    if (counts.requests > 1 && yes !== true) this.confirm(code, counts);
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
  private chosen(requestId: string | undefined, options: UndoOptions): ChosenRequests {
    const chosen = chosenBy(options);
    const { organisation, ...others } = chosen;
    const isAny = (values: object): boolean => Object.values(values).some((value) => value !== undefined);
    if (requestId !== undefined && isAny(others)) {
      this.command.error('error: name a request id, or options that choose import requests, not both');
    }
    if (requestId === undefined && !isAny(chosen)) {
      this.command.error('error: name a request id, or at least one option that chooses import requests');
    }
    return requestId === undefined ? chosen : { requestId, organisation };
  }

  private confirm(code: string, { requests, rows, senders }: RequestCounts): never {
    const bySenders = senders.length === 0 ? '' : ` (${describeSenders(senders)})`;
    this.command.error(
      `error: this undoes ${requests} import requests of ${code}, which have stored ${rows} rows${bySenders}; add --yes to confirm it`,
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
