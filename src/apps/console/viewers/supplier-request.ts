import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { NotAllowed } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from './viewed-suppliers.service.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';
import { viewerOf, type OperatorViewer, type Viewer } from './viewer.js';

/** The viewer, the supplier and the query of a page below `/console/suppliers/CODE`. */
export interface SupplierRequest<Who extends Viewer = Viewer> {
  readonly viewer: Who;
  readonly supplier: ViewedSupplier;
  /** As it was sent. */
  readonly query: SentQuery;
}

interface NamedSupplier {
  readonly viewer: Viewer;
  readonly code: unknown;
  readonly query: SentQuery;
  /** What an admin who sees the supplier is answered; undefined for the page. */
  readonly forAdmins: typeof NotAllowed | undefined;
}

/** Finds the supplier that an address names. */
@Injectable()
export class ViewedSupplierPipe implements PipeTransform<NamedSupplier, Promise<SupplierRequest>> {
  constructor(private readonly suppliers: ViewedSuppliersService) {}

  async transform({ viewer, code, query, forAdmins }: NamedSupplier): Promise<SupplierRequest> {
    const supplier = await this.suppliers.find(viewer, readSegment(code));
    if (forAdmins && viewer.kind === 'admin') throw new forAdmins();
    return { viewer, supplier, query };
  }
}

const namedSupplier = createParamDecorator(
  (forAdmins: NamedSupplier['forAdmins'], execution: ExecutionContext): NamedSupplier => {
    const request = execution
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: { code?: unknown }; Querystring: SentQuery }>>();
    return { viewer: viewerOf(execution), code: request.params.code, query: request.query, forAdmins };
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

export type OperatorRequest = SupplierRequest<OperatorViewer>;
