import { Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SearchQueue } from '../../../infrastructure/limits/fair-queue.js';
import { HasOwnQueue } from '../../../infrastructure/limits/holds.js';
import { endOf } from '../../../infrastructure/routes/stream-response.js';
import { readText, type SentQuery } from '../common/parameters.js';
import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { CurrentUser, queueHolderOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { searchPage } from './search.page.js';
import { SearchService } from './search.service.js';

/** A single search box for suppliers, API keys, accounts, runs, requests, transactions and statements (choice C2). */
@ConsoleController('search')
export class SearchController {
  constructor(
    private readonly search: SearchService,
    private readonly queue: SearchQueue,
  ) {}

  @PageFor(USERS)
  async find(
    @CurrentUser() user: SignedInUser,
    @Query('q') text: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsoleAnswer> {
    const result = await this.search.find(user, readText(text), endOf(reply));
    return result.meant === undefined ? searchPage(result) : { location: result.meant };
  }

  /** Takes up to ten seconds. */
  @PageFor(USERS, 'items')
  @HasOwnQueue()
  async findItems(
    @CurrentUser() user: SignedInUser,
    @Query() { q, from, after }: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page> {
    const code = readText(from);
    const place = code === undefined ? undefined : { code, after: after === '' ? '' : readText(after) };
    const stop = endOf(reply);
    return searchPage(
      await this.queue.run(queueHolderOf(user), () => this.search.findItems(user, readText(q), place, stop)),
    );
  }
}
