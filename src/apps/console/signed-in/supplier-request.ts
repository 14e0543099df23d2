import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from './viewed-suppliers.service.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';
import { userOf, type SignedInUser } from './signed-in-user.js';

/** The signed-in user, the supplier and the query of a page below `/console/suppliers/CODE`. */
export interface SupplierRequest {
  readonly user: SignedInUser;
  readonly supplier: ViewedSupplier;
  /** As sent. */
  readonly query: SentQuery;
}

interface NamedSupplier extends Pick<SupplierRequest, 'user' | 'query'> {
  readonly code: unknown;
}

/** Finds the supplier that an address names. */
@Injectable()
export class ViewedSupplierPipe implements PipeTransform<NamedSupplier, Promise<SupplierRequest>> {
  constructor(private readonly suppliers: ViewedSuppliersService) {}

  async transform({ user, code, query }: NamedSupplier): Promise<SupplierRequest> {
    return { user, supplier: await this.suppliers.find(user, readSegment(code)), query };
  }
}

const namedSupplier = createParamDecorator((_data: unknown, execution: ExecutionContext): NamedSupplier => {
  const request = execution
    .switchToHttp()
    .getRequest<FastifyRequest<{ Params: { code?: unknown }; Querystring: SentQuery }>>();
  return { user: userOf(execution), code: request.params.code, query: request.query };
});

/**
 * Parameter decorator: the signed-in user and the supplier of a page.
 *
 * @throws PageNotFound when there is no such supplier, or the signed-in user may not see it
 * Source: choice C3.
 */
export const AtSupplier = (): ParameterDecorator => namedSupplier(ViewedSupplierPipe);
