import { Global, Module } from '@nestjs/common';
import { Budget } from './budget.js';
import { PageTurns } from './turns.js';

/** What a process divides among the organisations of its callers. */
@Global()
@Module({ providers: [Budget, PageTurns], exports: [Budget, PageTurns] })
export class BudgetModule {}
