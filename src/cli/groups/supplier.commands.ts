import { Command } from 'nest-commander';
import { OperatorCommandGroup } from '../../common/operator-command.js';
import {
  ArchiveSupplierCommand,
  CreateSupplierCommand,
  GrantSupplierCommand,
  ListSuppliersCommand,
  RevokeSupplierCommand,
  SetSupplierCommand,
  ShowSupplierCommand,
} from '../../import-suppliers/import-suppliers.commands.js';
import { EraseSupplierCommand } from '../../erasure/erase.commands.js';

/** `supplier …` (choices, section 6). */
@Command({
  name: 'supplier',
  description: 'import suppliers: settings, access, archiving, and erasure of their accounts',
  subCommands: [
    CreateSupplierCommand,
    ListSuppliersCommand,
    ShowSupplierCommand,
    SetSupplierCommand,
    GrantSupplierCommand,
    RevokeSupplierCommand,
    ArchiveSupplierCommand,
    EraseSupplierCommand,
  ],
})
export class SupplierCommands extends OperatorCommandGroup {}
