import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import type { CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { DemonstrationService } from './demonstration.service.js';
import { DemonstrationModule } from './demonstration.module.js';

@SubCommand({
  name: 'remove',
  description: 'revoke the keys and grants of the demonstration and erase its accounts; may be repeated',
})
export class RemoveDemonstrationCommand extends OperatorCommand {
  @Inject(DemonstrationService) private readonly demonstration: DemonstrationService;

  protected async execute(): Promise<CommandResult> {
    const { keys, grants, accounts, isInterrupted, others } = await this.demonstration.remove({
      operator: this.context.operator,
      interrupted: this.context.interrupted,
      onLongWait: () => {
        this.context.say('Waiting for transactions that began before the erasure …');
      },
    });
    if (isInterrupted) this.context.say('Interrupted: run the command again to erase the remaining rows.');
    if (others.length > 0) {
      this.context.say(
        `The accounts of the supplier stay, because it is also granted to ${others.join(', ')}.`,
      );
    }
    return {
      json: { keys_revoked: keys, grants_removed: grants, accounts_erased: accounts },
      text: `Revoked ${keys} keys, removed ${grants} grants, erased ${accounts} accounts.`,
      exitCode: isInterrupted ? 1 : 0,
    };
  }
}

/** `demonstration …` (choices, section 6). */
export const COMMANDS = moduleCommands([DemonstrationModule], {
  demonstration: [RemoveDemonstrationCommand],
});
