import { Global, Module } from '@nestjs/common';
import { Budget } from './budget.js';
import { PageQueue, SearchQueue } from './fair-queue.js';

/** The request budget of the process, and the fair queues of the console. */
@Global()
@Module({ providers: [Budget, PageQueue, SearchQueue], exports: [Budget, PageQueue, SearchQueue] })
export class BudgetModule {}
