import { Global, Module } from '@nestjs/common';
import { Budget } from './budget.js';
import { PageQueue, SearchQueue } from './fair-queue.js';

/** What holders have in hand of a process, and the turns in which their work waits. */
@Global()
@Module({ providers: [Budget, PageQueue, SearchQueue], exports: [Budget, PageQueue, SearchQueue] })
export class BudgetModule {}
