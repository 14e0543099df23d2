import { Command, SubCommand } from 'nest-commander';
import { OperatorCommand, OperatorCommandGroup, type CommandResult } from '../common/operator-command.js';
import { DemonstrationService } from './demonstration.service.js';

@SubCommand({
  name: 'remove',
  description: 'revoke the keys and grants of the demonstration; may be repeated',
})
export class RemoveDemonstrationCommand extends OperatorCommand {
  constructor(private readonly demonstration: DemonstrationService) {
    super();
  }

  protected async execute(): Promise<CommandResult> {
    const { keys, grants } = await this.demonstration.remove(this.context.operator);
    return {
      json: { keys_revoked: keys, grants_removed: grants },
      text: `Revoked ${keys} keys, removed ${grants} grants.`,
    };
  }
}

/** `demonstration …` (choices, section 6). */
@Command({
  name: 'demonstration',
  description: 'what the first start created to try the service with',
  subCommands: [RemoveDemonstrationCommand],
})
export class DemonstrationCommands extends OperatorCommandGroup {}
