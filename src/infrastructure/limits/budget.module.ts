import { Global, Module } from '@nestjs/common';
import { Budget } from './budget.js';
import { PageTurns, SearchTurns } from './turns.js';

/** What holders have in hand of a process, and the turns in which their work waits. */
@Global()
@Module({ providers: [Budget, PageTurns, SearchTurns], exports: [Budget, PageTurns, SearchTurns] })
export class BudgetModule {}
