import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { ConsoleErrorFilter } from './layout/console-error.filter.js';
import { OverviewController } from './overview/overview.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignOutController } from './sessions/sign-out.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SessionsModule } from './viewers/sessions.module.js';
import { ViewedSuppliersRepository } from './viewers/viewed-suppliers.repository.js';
import { ViewedSuppliersService } from './viewers/viewed-suppliers.service.js';

/** The pages for people below `/console/`. */
@Module({
  imports: [SessionsModule, AuthModule, OrganisationsModule],
  controllers: [OverviewController, SessionsController, SignInController, SignOutController],
  providers: [ConsoleErrorFilter, SignInService, ViewedSuppliersService, ViewedSuppliersRepository],
})
export class ConsoleModule {}
