import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from './import-suppliers.module.js';
import { ViewerResolver } from './viewer.resolver.js';

/** Adds the granted import suppliers to the GraphQL type `Viewer`. */
@Module({ imports: [ImportSuppliersModule], providers: [ViewerResolver] })
export class ViewerModule {}
