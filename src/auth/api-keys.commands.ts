import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { Clock } from '../infrastructure/clock/clock.js';
import { InvalidOptionError, type CommandResult } from '../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { ApiKeysService, type ApiKeySummary } from './api-keys.service.js';
import { EXPIRES_IN, expiryAfter, parseLifetime } from './key-lifetime.js';
import {
  dateTimeOrNever,
  dateTimeOrNull,
  issuedResult,
  KEY_TIMES,
  keyTimes,
  keyTimesJson,
  revokedResult,
  STORE_THIS_KEY,
} from './key-output.js';
import { isName, NAME_RULE } from '../infrastructure/text/names.js';
import { OrganisationsService } from './organisations.service.js';
import { OrganisationsModule } from './organisations.module.js';

interface IssueOptions {
  readonly label?: string;
  /** Milliseconds. */
  readonly expiresIn?: number;
}

@SubCommand({
  name: 'issue',
  description: 'issue an API key; it is shown only once',
  arguments: '<organisation>',
  argsDescription: { organisation: 'name or id' },
})
export class IssueApiKeyCommand extends OperatorCommand<[organisation: string], IssueOptions> {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;
  @Inject(ApiKeysService) private readonly apiKeys: ApiKeysService;
  @Inject(Clock) private readonly clock: Clock;

  @Option({ flags: '--label <label>', description: 'what the key is for' })
  parseLabel(text: string): string {
    if (!isName(text)) throw new InvalidOptionError(NAME_RULE);
    return text;
  }

  @Option(EXPIRES_IN)
  parseExpiresIn(text: string): number {
    return parseLifetime(text);
  }

  protected async execute([nameOrId]: [string], options: IssueOptions): Promise<CommandResult> {
    const { id: organisationId, name } = await this.organisations.find(nameOrId);
    const { operator } = this.context;
    const keyOptions = {
      label: options.label ?? `issued by ${operator}`,
      ...(options.expiresIn !== undefined && {
        expiresAt: expiryAfter(this.clock.now(), options.expiresIn),
      }),
    };
    const issued = await this.apiKeys.issue(organisationId, keyOptions, operator);
    this.context.say(STORE_THIS_KEY);
    return issuedResult(issued, { organisation: name, label: issued.label });
  }
}

@SubCommand({
  name: 'list',
  description: 'list the keys of an organisation, oldest first',
  arguments: '<organisation>',
  argsDescription: { organisation: 'name or id' },
})
export class ListApiKeysCommand extends OperatorCommand<[organisation: string]> {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;
  @Inject(ApiKeysService) private readonly apiKeys: ApiKeysService;

  protected async execute([nameOrId]: [string]): Promise<CommandResult> {
    const { id } = await this.organisations.find(nameOrId);
    const keys = await this.apiKeys.list(id);
    return {
      json: keys.map(toJson),
      text: keys.length > 0 ? { head: HEAD, rows: keys.map(toRow) } : 'The organisation has no API key.',
    };
  }
}

@SubCommand({
  name: 'revoke',
  description: 'revoke an API key and every token obtained with it',
  arguments: '<key-id>',
  argsDescription: { 'key-id': 'the id of the key, not the key' },
})
export class RevokeApiKeyCommand extends OperatorCommand<[id: string]> {
  @Inject(ApiKeysService) private readonly apiKeys: ApiKeysService;

  protected async execute([id]: [string]): Promise<CommandResult> {
    return revokedResult('API', await this.apiKeys.revoke(id, this.context.operator));
  }
}

/** `api-key …` (choices, section 6). */
export const COMMANDS = moduleCommands([OrganisationsModule], {
  'api-key': [IssueApiKeyCommand, ListApiKeysCommand, RevokeApiKeyCommand],
});

function toJson(key: ApiKeySummary): object {
  const { id, prefix, label, lastSignedInAt } = key;
  return { id, prefix, label, ...keyTimesJson(key), last_signed_in_at: dateTimeOrNull(lastSignedInAt) };
}

const HEAD = ['Id', 'Prefix', 'Label', ...KEY_TIMES, 'Last sign-in'];

function toRow(key: ApiKeySummary): string[] {
  return [key.id, key.prefix, key.label, ...keyTimes(key), dateTimeOrNever(key.lastSignedInAt)];
}
