import { Command, Option, SubCommand } from 'nest-commander';
import { Clock } from '../common/clock.js';
import { formatDateTime } from '../common/dates.js';
import {
  InvalidOptionError,
  OperatorCommand,
  OperatorCommandGroup,
  type CommandResult,
} from '../common/operator-command.js';
import { ApiKeysService, type ApiKeySummary } from './api-keys.service.js';
import { isName, NAME_RULE } from './operator-name.js';
import { OrganisationsService } from './organisations.service.js';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
const LIFETIME_MAX_MS = 100 * 365 * 86_400_000;

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
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {
    super();
  }

  @Option({ flags: '--label <label>', description: 'what the key is for' })
  parseLabel(text: string): string {
    if (!isName(text)) throw new InvalidOptionError(NAME_RULE);
    return text;
  }

  @Option({ flags: '--expires-in <duration>', description: 'lifetime of the key: 90d, 12h, 2w …' })
  parseExpiresIn(text: string): number {
    const [, count = '', unit = ''] = /^(\d{1,10})([smhdw])$/.exec(text) ?? [];
    const lifetimeMs = Number(count) * (UNIT_MS.get(unit) ?? 0);
    if (lifetimeMs === 0 || lifetimeMs > LIFETIME_MAX_MS) {
      throw new InvalidOptionError(
        'A duration is a number and a unit, s, m, h, d or w, for example 90d; up to 100 years.',
      );
    }
    return lifetimeMs;
  }

  protected async execute([nameOrId]: [string], options: IssueOptions): Promise<CommandResult> {
    const { id: organisationId, name } = await this.organisations.find(nameOrId);
    const { operator } = this.context;
    const keyOptions = {
      label: options.label ?? `issued by ${operator}`,
      ...(options.expiresIn !== undefined && {
        expiresAt: wholeSecond(this.clock.now().getTime() + options.expiresIn),
      }),
    };
    const issued = await this.apiKeys.issue(organisationId, keyOptions, operator);
    this.context.say('Store this key with your secrets: it cannot be shown again.');
    return {
      json: {
        id: issued.id,
        key: issued.key,
        organisation: name,
        label: issued.label,
        created_at: formatDateTime(issued.createdAt),
        expires_at: dateTimeOrNull(issued.expiresAt),
      },
      text: [
        `id:       ${issued.id}`,
        `key:      ${issued.key}`,
        `expires:  ${dateTimeOrNever(issued.expiresAt)}`,
      ].join('\n'),
    };
  }
}

@SubCommand({
  name: 'list',
  description: 'list the keys of an organisation, oldest first',
  arguments: '<organisation>',
  argsDescription: { organisation: 'name or id' },
})
export class ListApiKeysCommand extends OperatorCommand<[organisation: string]> {
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly apiKeys: ApiKeysService,
  ) {
    super();
  }

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
  constructor(private readonly apiKeys: ApiKeysService) {
    super();
  }

  protected async execute([id]: [string]): Promise<CommandResult> {
    const revokedAt = formatDateTime(await this.apiKeys.revoke(id, this.context.operator));
    return { json: { id, revoked_at: revokedAt }, text: `The API key ${id} was revoked at ${revokedAt}.` };
  }
}

/** `api-key …` (choices, section 6). */
@Command({
  name: 'api-key',
  description: 'keys with which an organisation obtains tokens',
  subCommands: [IssueApiKeyCommand, ListApiKeysCommand, RevokeApiKeyCommand],
})
export class ApiKeyCommands extends OperatorCommandGroup {}

/** Published in whole seconds and so stored in whole seconds: the tokens of the key end no later than was published. */
function wholeSecond(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1_000) * 1_000);
}

function toJson({ id, prefix, label, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeySummary): object {
  return {
    id,
    prefix,
    label,
    created_at: formatDateTime(createdAt),
    expires_at: dateTimeOrNull(expiresAt),
    revoked_at: dateTimeOrNull(revokedAt),
    last_used_at: dateTimeOrNull(lastUsedAt),
  };
}

const HEAD = ['Id', 'Prefix', 'Label', 'Created', 'Expires', 'Revoked', 'Last used'];

function toRow(key: ApiKeySummary): string[] {
  const dates = [key.createdAt, key.expiresAt, key.revokedAt, key.lastUsedAt];
  return [key.id, key.prefix, key.label, ...dates.map(dateTimeOrNever)];
}

function dateTimeOrNull(dateTime: Date | null): string | null {
  return dateTime && formatDateTime(dateTime);
}

function dateTimeOrNever(dateTime: Date | null): string {
  return dateTimeOrNull(dateTime) ?? 'never';
}
