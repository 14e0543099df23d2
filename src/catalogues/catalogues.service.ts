import { Injectable } from '@nestjs/common';
import { CommandError } from '../common/command-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import {
  CATALOGUE_FIELDS,
  CataloguesRepository,
  type CatalogueField,
  type CatalogueValue,
} from './catalogues.repository.js';

/** How long a snapshot is relied on; `catalogue add` promises that a new value counts everywhere within 5 seconds. */
const FRESH_MS = 2_000;

/** The allowed values of every catalogue at one moment. */
export type CatalogueSnapshot = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The catalogues: allowed values that are data. Requests are checked against a snapshot that is at most two seconds
 * old, so no request pays for a look-up of its own, and every instance notices a new value in time.
 *
 * Source: contract X3.
 */
@Injectable()
export class CataloguesService {
  private latest: { readonly askedAtMs: number; readonly snapshot: CatalogueSnapshot } | undefined;
  private asking: Promise<CatalogueSnapshot> | undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: CataloguesRepository,
  ) {}

  /** The snapshot when it is fresh; otherwise there is one to wait for. */
  current(): CatalogueSnapshot | Promise<CatalogueSnapshot> {
    if (this.latest && performance.now() - this.latest.askedAtMs < FRESH_MS) return this.latest.snapshot;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  /** @param field one catalogue, or all of them */
  async list(field?: string): Promise<CatalogueValue[]> {
    const wanted = field === undefined ? undefined : toField(field);
    const values = await this.work.single((tx) => this.repository.all(tx));
    return values.filter((value) => wanted === undefined || value.field === wanted);
  }

  /**
   * Allow one more value; allowing it again changes nothing.
   *
   * @throws CommandError `unknown_catalogue`
   */
  async add(field: string, value: string): Promise<CatalogueValue & { readonly isNew: boolean }> {
    const added = { field: toField(field), value };
    const isNew = await this.work.single((tx) => this.repository.add(tx, added));
    return { ...added, isNew };
  }

  private async ask(): Promise<CatalogueSnapshot> {
    const askedAtMs = performance.now();
    const values = await this.work.single((tx) => this.repository.all(tx));
    const snapshot = new Map<string, Set<string>>(CATALOGUE_FIELDS.map((field) => [field, new Set()]));
    for (const { field, value } of values) snapshot.get(field)?.add(value);
    this.latest = { askedAtMs, snapshot };
    return snapshot;
  }
}

function toField(name: string): CatalogueField {
  const field = CATALOGUE_FIELDS.find((known) => known === name);
  if (!field) {
    throw new CommandError(
      'unknown_catalogue',
      `There is no catalogue ${name}; there are ${CATALOGUE_FIELDS.join(', ')}.`,
    );
  }
  return field;
}
