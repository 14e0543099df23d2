/** The allowed values of every catalogue, by the catalogue's name (choice X3). */
export type CatalogueValues = ReadonlyMap<string, ReadonlySet<string>>;

/** What rules depend on beyond the value: limits and lists that an operator changes. */
export interface RuntimeLimits {
  /** The most items of a list that has no fixed limit (choice T15, `ITEMS_MAX`). */
  readonly itemsMax: number;
  readonly catalogues: CatalogueValues;
  /** Whether an item may be larger than allowed, so that all are measured (choice T19). */
  readonly hasLargeItem?: boolean | undefined;
}

/** For payload classes that depend on none. */
export const NO_RUNTIME_LIMITS: RuntimeLimits = { itemsMax: 0, catalogues: new Map() };

/** Where the validation of requests gets {@link RuntimeLimits} from; a global module provides it. */
export abstract class RuntimeLimitsProvider {
  abstract readonly itemsMax: number;

  /** @returns the present values, or a promise of them while they are being read */
  abstract catalogues(): CatalogueValues | Promise<CatalogueValues>;
}
