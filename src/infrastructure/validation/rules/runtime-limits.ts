/** The allowed values of every catalogue, by the name of the catalogue (choice X3). */
export type CatalogueValues = ReadonlyMap<string, ReadonlySet<string>>;

/** Inputs of rules besides the value: limits and lists that an operator changes. */
export interface RuntimeLimits {
  /** Maximum number of items of a list without a fixed limit (choice T15, `ITEMS_MAX`). */
  readonly itemsMax: number;
  readonly catalogues: CatalogueValues;
  /** Whether an item may be larger than allowed; if so, all items are measured (choice T19). */
  readonly hasLargeItem?: boolean | undefined;
}

/** For payload classes that depend on no limits. */
export const NO_RUNTIME_LIMITS: RuntimeLimits = { itemsMax: 0, catalogues: new Map() };

/** Provides the {@link RuntimeLimits} for the validation of requests; a global module implements it. */
export abstract class RuntimeLimitsProvider {
  abstract readonly itemsMax: number;

  /** @returns the current values, or a promise of them while they are being loaded */
  abstract catalogues(): CatalogueValues | Promise<CatalogueValues>;
}
