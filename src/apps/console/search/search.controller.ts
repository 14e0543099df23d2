import { Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { HasOwnQueue } from '../../../infrastructure/limits/holds.js';
import { SearchQueue } from '../../../infrastructure/limits/fair-queue.js';
import { endOf } from '../../../infrastructure/routes/stream-response.js';
import { readText } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import { CurrentUser, queueHolderOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { ItemSearchService } from './item-search.service.js';
import { addressOf, itemSearchPage, searchPage } from './search.page.js';
import { SearchService } from './search.service.js';

/** A single search box for suppliers, API keys, accounts, requests, transactions and statements (choice C2). */
@ConsoleController('search')
export class SearchController {
  constructor(
    private readonly accounts: SearchService,
    private readonly items: ItemSearchService,
    private readonly queue: SearchQueue,
  ) {}

  @Get()
  async find(
    @CurrentUser() user: SignedInUser,
    @Query('q') text: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConsoleAnswer> {
    const result = await this.accounts.find(user, readText(text), endOf(reply));
    const { meant } = result;
    return meant ? { location: addressOf(meant, result.text) } : searchPage(result);
  }

  /** Takes up to ten seconds. */
  @Get('items')
  @HasOwnQueue()
  async findItems(
    @CurrentUser() user: SignedInUser,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page> {
    const [code, after] = [readText(query.from), readText(query.after)];
    const search = {
      text: readText(query.q),
      code: readText(query.supplier),
      from: code === undefined ? undefined : { code, after: after ?? '' },
    };
    const gone = endOf(reply);
    return itemSearchPage(
      await this.queue.run(queueHolderOf(user), () => this.items.find(user, search, gone)),
    );
  }
}
