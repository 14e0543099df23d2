import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import {
  InvalidOptionError,
  nameOf,
  type CommandResult,
} from '../../../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../../infrastructure/commands/operator-command.js';
import { Options } from '../../../infrastructure/commands/options.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { linkUrl, serviceUrl } from './console-url.js';
import { SessionsService } from './sessions.service.js';
import type { LiveSession } from './sessions.types.js';
import { SessionsModule } from './sessions.module.js';

interface LinkOptions {
  readonly for?: string;
  readonly baseUrl?: string;
}

@SubCommand({
  name: 'link',
  description: 'print a link that signs an operator in to the console, once and within ten minutes',
})
@Options({
  '--for <name>': {
    description: 'name of the operator (default: the user who runs the command)',
    parse: nameOf,
  },
  '--base-url <url>': {
    description: 'address of the service for the operator’s browser (default: from HOST and PORT)',
    parse: baseUrl,
  },
})
export class MakeSignInLinkCommand extends OperatorCommand<[], LinkOptions> {
  @Inject(SessionsService) private readonly sessions: SessionsService;
  @Inject(ENVIRONMENT) private readonly environment: Environment;

  protected async execute(_args: [], options: LinkOptions): Promise<CommandResult> {
    const { operator: recordedAs } = this.context;
    const { code, operator, expiresAt } = await this.sessions.makeLink(options.for ?? recordedAs, recordedAs);
    const url = linkUrl(options.baseUrl ?? serviceUrl(this.environment), code);
    this.context.say(`Signs ${operator} in, once, until ${formatDateTime(expiresAt)}.`);
    return { json: { url, expires_at: formatDateTime(expiresAt), operator }, text: url };
  }
}

function baseUrl(text: string): string {
  const { protocol, origin, href } = URL.canParse(text) ? new URL(text) : new URL('none:');
  if (/^https?:$/.test(protocol) && href === `${origin}/`) return origin;
  throw new InvalidOptionError(
    'An address is a scheme, a host and an optional port, such as https://import.example.',
  );
}

const SESSIONS: Listing<LiveSession> = {
  json: ({ id, operator, organisation, apiKeyId, createdAt, lastSeenAt, expiresAt }) => ({
    ...{ id, operator, organisation, api_key_id: apiKeyId },
    created_at: formatDateTime(createdAt),
    last_seen_at: formatDateTime(lastSeenAt),
    expires_at: formatDateTime(expiresAt),
  }),
  head: ['Id', 'User', 'Since', 'Last seen', 'Ends'],
  row: ({ id, operator, organisation, keyLabel, createdAt, lastSeenAt, expiresAt }) => [
    ...[id, operator ?? `admin of ${organisation ?? ''}, key ${keyLabel ?? ''}`],
    ...[createdAt, lastSeenAt, expiresAt].map(formatDateTime),
  ],
  none: 'Nobody is signed in.',
};

@SubCommand({ name: 'sessions', description: 'list the sessions of the console, oldest first' })
export class ListSessionsCommand extends OperatorCommand {
  @Inject(SessionsService) private readonly sessions: SessionsService;

  protected async execute(): Promise<CommandResult> {
    return listed(await this.sessions.list(), SESSIONS);
  }
}

@SubCommand({
  name: 'revoke',
  description: 'end a session of the console at once',
  arguments: '<session-id>',
  argsDescription: { 'session-id': 'id of the session, as "console sessions" shows it' },
})
export class RevokeSessionCommand extends OperatorCommand<[id: string]> {
  @Inject(SessionsService) private readonly sessions: SessionsService;

  protected async execute([id]: [string]): Promise<CommandResult> {
    const revokedAt = formatDateTime(await this.sessions.revoke(id, this.context.operator));
    return { json: { id, revoked_at: revokedAt }, text: `The session ${id} was revoked at ${revokedAt}.` };
  }
}

/** `console …` (choice C1). */
export const COMMANDS = moduleCommands([SessionsModule], {
  console: [MakeSignInLinkCommand, ListSessionsCommand, RevokeSessionCommand],
});
