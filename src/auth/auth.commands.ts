import { InvalidArgumentError } from 'commander';
import { Clock } from '../common/clock.js';
import { formatDateTime } from '../common/dates.js';
import type { CommandContext, RegisterCommands } from '../common/operator-command.js';
import { table } from '../common/table.js';
import { ApiKeysService, type ApiKeySummary } from './api-keys.service.js';
import { OrganisationsService } from './organisations.service.js';

const NAME_LENGTH_MAX = 128;

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
const TERM_MAX_MS = 100 * 365 * 86_400_000;

/** `organisation …` and `api-key …` (contract, section 6). */
export const registerAuthCommands: RegisterCommands = (program, action) => {
  const organisation = program.command('organisation').description('organisations that call the interface');
  organisation
    .command('create')
    .description('take up an organisation')
    .argument('<name>', `1 to ${NAME_LENGTH_MAX} characters`, nameArgument)
    .action(
      action(async (session, name: string) => {
        const created = await (await organisations(session)).create(name);
        return { json: created, text: `Created the organisation ${created.name} (${created.id}).` };
      }),
    );
  organisation
    .command('list')
    .description('all organisations, by name')
    .action(
      action(async (session) => {
        const list = await (await organisations(session)).list();
        const text = table(
          ['Name', 'Id'],
          list.map(({ id, name }) => [name, id]),
        );
        return { json: list, text: list.length > 0 ? text : 'There is no organisation yet.' };
      }),
    );

  const apiKey = program.command('api-key').description('keys with which an organisation obtains tokens');
  apiKey
    .command('issue')
    .description('make an API key; it is shown this once')
    .argument('<organisation>', 'name or id')
    .option('--label <label>', 'what the key is for', labelOption)
    .option('--expires-in <term>', 'how long it is good: 90d, 12h, 2w …', termOption)
    .action(
      action(async (session, nameOrId: string, options: { label?: string; expiresIn?: number }) => {
        const services = await session.services();
        const { id: organisationId, name } = await services.get(OrganisationsService).find(nameOrId);
        const issued = await services.get(ApiKeysService).issue(organisationId, {
          label: options.label ?? `issued by ${session.operator}`,
          ...(options.expiresIn !== undefined && {
            expiresAt: wholeSecond(services.get(Clock).now().getTime() + options.expiresIn),
          }),
        });
        session.say('Keep this key where secrets are kept: it cannot be shown again.');
        return {
          json: {
            id: issued.id,
            key: issued.key,
            organisation: name,
            label: issued.label,
            created_at: formatDateTime(issued.createdAt),
            expires_at: momentOrNull(issued.expiresAt),
          },
          text: [
            `id:       ${issued.id}`,
            `key:      ${issued.key}`,
            `expires:  ${shown(issued.expiresAt)}`,
          ].join('\n'),
        };
      }),
    );
  apiKey
    .command('list')
    .description('the keys of an organisation, oldest first')
    .argument('<organisation>', 'name or id')
    .action(
      action(async (session, nameOrId: string) => {
        const services = await session.services();
        const { id } = await services.get(OrganisationsService).find(nameOrId);
        const keys = await services.get(ApiKeysService).list(id);
        return {
          json: keys.map(toJson),
          text: keys.length > 0 ? keyTable(keys) : 'The organisation has no API key.',
        };
      }),
    );
  apiKey
    .command('revoke')
    .description('revoke an API key and every token obtained with it')
    .argument('<key-id>', 'the id of the key, not the key')
    .action(
      action(async (session, id: string) => {
        const revokedAt = formatDateTime(await (await session.services()).get(ApiKeysService).revoke(id));
        return {
          json: { id, revoked_at: revokedAt },
          text: `The API key ${id} is revoked since ${revokedAt}.`,
        };
      }),
    );
};

async function organisations(session: CommandContext): Promise<OrganisationsService> {
  return (await session.services()).get(OrganisationsService);
}

function nameArgument(text: string): string {
  const length = Array.from(text).length;
  if (text.trim() === '' || length > NAME_LENGTH_MAX) {
    throw new InvalidArgumentError(`A name has 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  return text;
}

function labelOption(text: string): string {
  return nameArgument(text);
}

/** The end of a key is told in whole seconds, so it is kept so: its tokens end no later than what was told. */
function wholeSecond(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1_000) * 1_000);
}

/** @returns milliseconds */
function termOption(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,10})([smhdw])$/.exec(text) ?? [];
  const term = Number(count) * (UNIT_MS.get(unit) ?? 0);
  if (term === 0 || term > TERM_MAX_MS) {
    throw new InvalidArgumentError(
      'A term is a number and a unit, s, m, h, d or w, for example 90d; up to 100 years.',
    );
  }
  return term;
}

function toJson({ id, prefix, label, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKeySummary): object {
  return {
    id,
    prefix,
    label,
    created_at: formatDateTime(createdAt),
    expires_at: momentOrNull(expiresAt),
    revoked_at: momentOrNull(revokedAt),
    last_used_at: momentOrNull(lastUsedAt),
  };
}

function keyTable(keys: readonly ApiKeySummary[]): string {
  return table(
    ['Id', 'Prefix', 'Label', 'Created', 'Expires', 'Revoked', 'Last used'],
    keys.map((key) => [
      key.id,
      key.prefix,
      key.label,
      shown(key.createdAt),
      shown(key.expiresAt),
      shown(key.revokedAt),
      shown(key.lastUsedAt),
    ]),
  );
}

function momentOrNull(moment: Date | null): string | null {
  return moment && formatDateTime(moment);
}

function shown(moment: Date | null): string {
  return momentOrNull(moment) ?? 'never';
}
