/** The part of openapi.json that is read. */
export interface OpenApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, object>> }>>;
  };
}

/** The text of packages/loader/src/kinds/contract.generated.ts. */
export function loaderContract(openapi: OpenApi): string;
