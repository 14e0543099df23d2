import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotAllowed } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from './viewed-suppliers.service.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';
import { userOf, type SignedInOperator, type SignedInUser } from './signed-in-user.js';

/** The signed-in user, the supplier and the query of a page below `/console/suppliers/CODE`. */
export interface SupplierRequest<Who extends SignedInUser = SignedInUser> {
  readonly user: Who;
  readonly supplier: ViewedSupplier;
  /** As sent. */
  readonly query: SentQuery;
}

interface NamedSupplier {
  readonly user: SignedInUser;
  readonly code: unknown;
  readonly query: SentQuery;
  /** The error for an admin who may see the supplier; undefined if admins may see the page. */
  readonly forAdmins: typeof NotAllowed | undefined;
}

/** Finds the supplier that an address names. */
@Injectable()
export class ViewedSupplierPipe implements PipeTransform<NamedSupplier, Promise<SupplierRequest>> {
  constructor(private readonly suppliers: ViewedSuppliersService) {}

  async transform({ user, code, query, forAdmins }: NamedSupplier): Promise<SupplierRequest> {
    const supplier = await this.suppliers.find(user, readSegment(code));
    if (forAdmins && user.kind === 'admin') throw new forAdmins();
    return { user, supplier, query };
  }
}

const namedSupplier = createParamDecorator(
  (forAdmins: NamedSupplier['forAdmins'], execution: ExecutionContext): NamedSupplier => {
    const request = execution
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: { code?: unknown }; Querystring: SentQuery }>>();
    return { user: userOf(execution), code: request.params.code, query: request.query, forAdmins };
  },
);

/**
 * Parameter decorator: the signed-in user and the supplier of a page.
 *
 * @throws PageNotFound when there is no such supplier, or the signed-in user may not see it
 * Source: choice C3.
 */
export const AtSupplier = (): ParameterDecorator => namedSupplier(undefined, ViewedSupplierPipe);

/** {@link AtSupplier} for operators only. @param forAdmins the error for an admin who may see the supplier */
export const OperatorAtSupplier = (forAdmins: typeof NotAllowed = NotAllowed): ParameterDecorator =>
  namedSupplier(forAdmins, ViewedSupplierPipe);

export type OperatorRequest = SupplierRequest<SignedInOperator>;
