import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { Clock } from '../infrastructure/clock/clock.js';
import type { CommandResult } from '../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { Options } from '../infrastructure/commands/options.js';
import { EXPIRES_IN, expiryAfter } from './key-lifetime.js';
import {
  issuedResult,
  KEY_TIMES,
  keyTimes,
  keyTimesJson,
  revokedResult,
  STORE_THIS_KEY,
} from './key-output.js';
import { isName, NAME_RULE } from '../infrastructure/text/names.js';
import { PlatformKeysService, type PlatformKeySummary } from './platform-keys.service.js';
import { OrganisationsModule } from './organisations.module.js';

interface IssueOptions {
  readonly supplier?: string;
  /** Milliseconds. */
  readonly expiresIn: number;
}

@SubCommand({
  name: 'issue',
  description: 'issue a key with which the platform reads what was imported; it is shown only once',
  arguments: '<name>',
  argsDescription: { name: 'what the key is for' },
})
@Options({
  '--supplier <code>': 'the only supplier that it may read',
  '--expires-in <duration>': { ...EXPIRES_IN, required: true },
})
export class IssuePlatformKeyCommand extends OperatorCommand<[name: string], IssueOptions> {
  @Inject(PlatformKeysService) private readonly keys: PlatformKeysService;
  @Inject(Clock) private readonly clock: Clock;

  protected async execute([name]: [string], options: IssueOptions): Promise<CommandResult> {
    if (!isName(name)) this.refuseArgument('name', name, NAME_RULE);
    const issued = await this.keys.issue(
      {
        name,
        importSupplier: options.supplier ?? null,
        expiresAt: expiryAfter(this.clock.now(), options.expiresIn),
      },
      this.context.operator,
    );
    this.context.say(STORE_THIS_KEY);
    return issuedResult(issued, { name: issued.name, import_supplier: issued.importSupplier });
  }
}

const KEYS: Listing<PlatformKeySummary> = {
  json: (key) => ({
    ...{ id: key.id, prefix: key.prefix, name: key.name, import_supplier: key.importSupplier },
    ...keyTimesJson(key),
  }),
  head: ['Id', 'Prefix', 'Name', 'Supplier', ...KEY_TIMES],
  row: (key) => [key.id, key.prefix, key.name, key.importSupplier ?? 'all', ...keyTimes(key)],
  none: 'The platform has no key.',
};

@SubCommand({ name: 'list', description: 'list the keys of the platform, oldest first' })
export class ListPlatformKeysCommand extends OperatorCommand {
  @Inject(PlatformKeysService) private readonly keys: PlatformKeysService;

  protected async execute(): Promise<CommandResult> {
    return listed(await this.keys.list(), KEYS);
  }
}

@SubCommand({
  name: 'revoke',
  description: 'revoke a key of the platform and every token obtained with it',
  arguments: '<key-id>',
  argsDescription: { 'key-id': 'the id of the key, not the key' },
})
export class RevokePlatformKeyCommand extends OperatorCommand<[id: string]> {
  @Inject(PlatformKeysService) private readonly keys: PlatformKeysService;

  protected async execute([id]: [string]): Promise<CommandResult> {
    return revokedResult('platform', await this.keys.revoke(id, this.context.operator));
  }
}

/** `platform-key …` (choice E5). */
export const COMMANDS = moduleCommands([OrganisationsModule], {
  'platform-key': [IssuePlatformKeyCommand, ListPlatformKeysCommand, RevokePlatformKeyCommand],
});
