import { Module } from '@nestjs/common';
import { GrantedSuppliersRepository } from './granted-suppliers.repository.js';
import { GrantedSuppliersService } from './granted-suppliers.service.js';
import { ViewerResolver } from './viewer.resolver.js';

/** Adds the granted import suppliers to the GraphQL type `Viewer`. */
@Module({ providers: [ViewerResolver, GrantedSuppliersService, GrantedSuppliersRepository] })
export class ViewerModule {}
