import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotAllowed } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from './viewed-suppliers.service.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';
import { signedInOf, type SignedInOperator, type SignedIn } from './signed-in.js';

/** The viewer, the supplier and the query of a page below `/console/suppliers/CODE`. */
export interface SupplierRequest<Who extends SignedIn = SignedIn> {
  readonly signedIn: Who;
  readonly supplier: ViewedSupplier;
  /** As it was sent. */
  readonly query: SentQuery;
}

interface NamedSupplier {
  readonly signedIn: SignedIn;
  readonly code: unknown;
  readonly query: SentQuery;
  /** What an admin who sees the supplier is answered; undefined for the page. */
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
 * Parameter decorator: who looks at which supplier.
 *
 * @throws PageNotFound when there is no such supplier, or the viewer does not see it
 * Source: choice C3.
 */
export const AtSupplier = (): ParameterDecorator => namedSupplier(undefined, ViewedSupplierPipe);

/** {@link AtSupplier} for an operator. @param forAdmins what is thrown to an admin who sees the supplier */
export const OperatorAtSupplier = (forAdmins: typeof NotAllowed = NotAllowed): ParameterDecorator =>
  namedSupplier(forAdmins, ViewedSupplierPipe);

export type OperatorRequest = SupplierRequest<SignedInOperator>;
