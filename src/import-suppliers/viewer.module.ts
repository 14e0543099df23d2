import { Module } from '@nestjs/common';
import { GrantedSuppliersRepository } from './granted-suppliers.repository.js';
import { GrantedSuppliersService } from './granted-suppliers.service.js';
import { ViewerResolver } from './viewer.resolver.js';

/** The import suppliers' part of what a caller sees of itself over GraphQL. */
@Module({ providers: [ViewerResolver, GrantedSuppliersService, GrantedSuppliersRepository] })
export class ViewerModule {}
