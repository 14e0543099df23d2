import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { Organisation } from './organisation.entity.js';

const INSERT = query<{ id: string; name: string }>(
  'auth.organisation_insert',
  `INSERT INTO organisation (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id, name`,
);

const END_GENERATION = query<{ ended_at: Date }>(
  'auth.organisation_end_generation',
  `WITH ended AS (
    UPDATE organisation SET token_version = token_version + 1 WHERE id = $1 RETURNING id
  )
  SELECT now() AS ended_at FROM ended`,
);

@Injectable()
export class OrganisationsRepository {
  /** @returns nothing when the name is taken */
  async insert(tx: Tx, name: string): Promise<{ id: string; name: string } | undefined> {
    const [row] = await run(tx, INSERT, [name]);
    return row;
  }

  list(tx: Tx): Promise<Organisation[]> {
    return tx.find(Organisation, { order: { name: 'ASC' } });
  }

  findById(tx: Tx, id: string): Promise<Organisation | null> {
    return tx.findOneBy(Organisation, { id });
  }

  findByName(tx: Tx, name: string): Promise<Organisation | null> {
    return tx.findOneBy(Organisation, { name });
  }

  /** @returns the database's moment of the change, or nothing when there is no such organisation */
  async endGeneration(tx: Tx, id: string): Promise<Date | undefined> {
    const [row] = await run(tx, END_GENERATION, [id]);
    return row?.ended_at;
  }
}
