import { RouteConfig } from '@nestjs/platform-fastify';
import { NotesController } from '../notes/notes.controller.js';
import { PaymentInstructionsController } from '../payment-instructions/payment-instructions.controller.js';
import { StatementsController } from '../statements/statements.controller.js';
import { TransactionsController } from '../transactions/transactions.controller.js';

const CONTROLLERS = [
  NotesController,
  TransactionsController,
  StatementsController,
  PaymentInstructionsController,
];

describe('the configuration of the route of an import', () => {
  it.each(CONTROLLERS.map(({ name, prototype }) => ({ name, handlers: prototype })))(
    'has what each of its decorators adds: $name',
    ({ handlers }) => {
      const { create } = handlers as unknown as Record<string, object>;
      const config = Reflect.getMetadata(RouteConfig({}).KEY, create!) as object;
      expect(Object.keys(config).sort()).toEqual(['bodyClass', 'importKind']);
    },
  );
});
