import { Post } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Redirection } from '../layout/page.js';
import { SessionsService } from '../viewers/sessions.service.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';

/** `/console/sign-out` (choice C1). */
@ConsoleController('sign-out')
export class SignOutController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  async signOut(@CurrentViewer() viewer: Viewer): Promise<Redirection> {
    await this.sessions.signOut(viewer);
    return { location: ADDRESSES.signIn, session: 'ended' };
  }
}
