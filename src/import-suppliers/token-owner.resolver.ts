import { Field, ObjectType, ResolveField, Resolver } from '@nestjs/graphql';
import { Viewer } from '../auth/auth.dto.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import type { SupplierStatus } from './import-supplier.entity.js';
import { ImportSuppliersService } from './import-suppliers.service.js';

@ObjectType('ImportSupplier')
export class ViewerImportSupplier {
  @Field({ description: 'The `import_supplier` of the data-import requests.' })
  code: string;

  @Field()
  name: string;

  @Field(() => String, { description: '`ongoing`, `paused` or `complete`.' })
  status: SupplierStatus;
}

/** Adds the granted import suppliers to `Viewer` (choice A4). */
@Resolver(() => Viewer)
export class TokenOwnerResolver {
  /** One list per request: each request has its own caller object, and may select the field under several aliases. */
  private readonly lists = new WeakMap<Caller, Promise<ViewerImportSupplier[]>>();

  constructor(private readonly suppliers: ImportSuppliersService) {}

  @ResolveField(() => [ViewerImportSupplier], {
    description: 'The suppliers that are granted to the organisation, ordered by code.',
  })
  importSuppliers(@CurrentCaller() caller: Caller): Promise<ViewerImportSupplier[]> {
    const list = this.lists.get(caller) ?? this.suppliers.granted(caller);
    this.lists.set(caller, list);
    return list;
  }
}
