import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotAllowed } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from './viewed-suppliers.service.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';
import { signedInOf, type SignedInOperator, type SignedIn } from './signed-in.js';

/** The signed-in user, the supplier and the query of a page below `/console/suppliers/CODE`. */
export interface SupplierRequest<Who extends SignedIn = SignedIn> {
  readonly signedIn: Who;
  readonly supplier: ViewedSupplier;
  /** As sent. */
  readonly query: SentQuery;
}

interface NamedSupplier {
  readonly signedIn: SignedIn;
  readonly code: unknown;
  readonly query: SentQuery;
  /** The error for an admin who may see the supplier; undefined if admins may see the page. */
  readonly forAdmins: typeof NotAllowed | undefined;
}

/** Finds the supplier that an address names. */
@Injectable()
export class ViewedSupplierPipe implements PipeTransform<NamedSupplier, Promise<SupplierRequest>> {
  constructor(private readonly suppliers: ViewedSuppliersService) {}

  async transform({ signedIn, code, query, forAdmins }: NamedSupplier): Promise<SupplierRequest> {
    const supplier = await this.suppliers.find(signedIn, readSegment(code));
    if (forAdmins && signedIn.kind === 'admin') throw new forAdmins();
    return { signedIn, supplier, query };
  }
}

const namedSupplier = createParamDecorator(
  (forAdmins: NamedSupplier['forAdmins'], execution: ExecutionContext): NamedSupplier => {
    const request = execution
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: { code?: unknown }; Querystring: SentQuery }>>();
    return { signedIn: signedInOf(execution), code: request.params.code, query: request.query, forAdmins };
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
