import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { counted } from '../common/format.js';
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
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { userName, userRole } from './described-user.js';
import { linkUrl, serviceUrl } from './console-url.js';
import { SessionsService } from './sessions.service.js';
import type { LiveSession } from './sessions.types.js';
import { SessionsModule } from './sessions.module.js';

interface LinkOptions {
  readonly for?: string;
  readonly baseUrl?: string;
  readonly breakGlass?: true;
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
    description:
      'address of the service for the operator’s browser (default: CONSOLE_URL, or from HOST and PORT)',
    parse: baseUrl,
  },
  '--break-glass': 'although CONSOLE_LINKS=off; recorded',
})
export class MakeSignInLinkCommand extends OperatorCommand<[], LinkOptions> {
  @Inject(SessionsService) private readonly sessions: SessionsService;
  @Inject(ENVIRONMENT) private readonly environment: Environment;

  protected async execute(_args: [], options: LinkOptions): Promise<CommandResult> {
    const { operator: maker } = this.context;
    const { CONSOLE_LINKS, CONSOLE_URL } = this.environment;
    if (CONSOLE_LINKS === 'off' && !options.breakGlass) {
      throw new CommandError(
        'links_are_off',
        'CONSOLE_LINKS=off: people sign in with their accounts. On a day when they cannot, add --break-glass, which is recorded.',
      );
    }
    const details = options.breakGlass ? { break_glass: true } : {};
    const { code, operator, expiresAt } = await this.sessions.makeLink(options.for ?? maker, maker, details);
    const url = linkUrl(options.baseUrl ?? CONSOLE_URL ?? serviceUrl(this.environment), code);
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
  json: ({ id, operator, organisation, apiKeyId, createdAt, lastSeenAt, expiresAt, ...user }) => ({
    ...{ id, operator, organisation, api_key_id: apiKeyId },
    ...{ person: user.person, issuer: user.issuer, subject: user.subject, role: user.role },
    created_at: formatDateTime(createdAt),
    last_seen_at: formatDateTime(lastSeenAt),
    expires_at: formatDateTime(expiresAt),
  }),
  head: ['Id', 'User', 'Since', 'Last seen', 'Ends'],
  row: (session) => [
    ...[session.id, `${userName(session)}, ${userRole(session)}`],
    ...[session.createdAt, session.lastSeenAt, session.expiresAt].map(formatDateTime),
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

interface RevokeOptions {
  readonly person?: string;
  readonly apiKey?: string;
}

@SubCommand({
  name: 'revoke',
  description: 'end a session of the console, or all of a user, at once',
  arguments: '[session-id]',
  argsDescription: { 'session-id': 'id of the session, as "console sessions" shows it' },
})
@Options({
  '--person <name>':
    'all sessions of the person or operator with this name, or with this subject at the provider',
  '--api-key <id>': 'all sessions of this API key',
})
export class RevokeSessionCommand extends OperatorCommand<string[], RevokeOptions> {
  @Inject(SessionsService) private readonly sessions: SessionsService;

  protected async execute([id]: string[], { person, apiKey }: RevokeOptions): Promise<CommandResult> {
    const [named, ...others] = [id, person, apiKey].filter((one) => one !== undefined);
    if (named === undefined || others.length > 0)
      this.command.error('error: name a session id, --person or --api-key, and only one of them');
    const { operator } = this.context;
    const ended =
      id === undefined
        ? await this.sessions.revokeOf(named, operator)
        : await this.sessions.revoke(named, operator);
    return { json: { sessions_ended: ended }, text: `${counted(ended, 'session')} ended.` };
  }
}

/** `console …` (choice C1). */
export const COMMANDS = moduleCommands([SessionsModule], {
  console: [MakeSignInLinkCommand, ListSessionsCommand, RevokeSessionCommand],
});
