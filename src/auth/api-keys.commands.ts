import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { Clock } from '../infrastructure/clock/clock.js';
import { nameOf, type CommandResult } from '../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { Options } from '../infrastructure/commands/options.js';
import { ApiKeysService, type ApiKeySummary } from './api-keys.service.js';
import { EXPIRES_IN, expiryAfter } from './key-lifetime.js';
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
@Options({
  '--label <label>': { description: 'what the key is for', parse: nameOf },
  '--expires-in <duration>': EXPIRES_IN,
})
export class IssueApiKeyCommand extends OperatorCommand<[organisation: string], IssueOptions> {
  @Inject(OrganisationsService) private readonly organisations: OrganisationsService;
  @Inject(ApiKeysService) private readonly apiKeys: ApiKeysService;
  @Inject(Clock) private readonly clock: Clock;

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

const KEYS: Listing<ApiKeySummary> = {
  json: (key) => ({
    ...{ id: key.id, prefix: key.prefix, label: key.label, ...keyTimesJson(key) },
    last_signed_in_at: dateTimeOrNull(key.lastSignedInAt),
  }),
  head: ['Id', 'Prefix', 'Label', ...KEY_TIMES, 'Last sign-in'],
  row: (key) => [key.id, key.prefix, key.label, ...keyTimes(key), dateTimeOrNever(key.lastSignedInAt)],
  none: 'The organisation has no API key.',
};

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
    return listed(await this.apiKeys.list(id), KEYS);
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
