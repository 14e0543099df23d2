import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../infrastructure/audit/audit.service.js';
import { CommandError } from '../infrastructure/errors/command-error.js';
import { sqlState, UNIQUE_VIOLATION } from '../infrastructure/errors/sql-state.js';
import { didYouMean } from '../infrastructure/text/near-matches.js';
import { shellWord } from '../infrastructure/text/shell-word.js';
import { isUuid } from '../infrastructure/text/uuid.js';
import { insertNew } from '../infrastructure/database/insert-new.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { Organisation } from './organisation.entity.js';

/** An organisation as operators see it. */
export type OrganisationSummary = Readonly<Pick<Organisation, 'id' | 'name'>>;

/** The organisations that call the interface. */
@Injectable()
export class OrganisationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly audit: AuditService,
    @InjectRepository(Organisation) private readonly organisations: Repository<Organisation>,
  ) {}

  /**
   * Create an organisation.
   *
   * @param name 1 to 128 characters
   * @param operator the name to record
   * @throws CommandError `organisation_exists` when the name is taken
   * Source: choices, section 6; choice O6.
   */
  create(name: string, operator: string): Promise<OrganisationSummary> {
    return this.work.write(async (tx) => {
      const inserted = await insertNew(tx.withRepository(this.organisations), { name }, 'id');
      if (!inserted) throw organisationExists(name);
      const { id } = inserted;
      await this.audit.record(tx, {
        operator,
        action: 'organisation.create',
        subject: name,
        details: { id },
      });
      return { id, name };
    });
  }

  /**
   * Give an organisation another name. Its keys, grants, tokens and sessions belong to its id.
   *
   * @param operator the name to record
   * @throws CommandError `organisation_not_found`, or `organisation_exists` when the name is another's
   * Source: choices, section 6; choice O6.
   */
  async rename(nameOrId: string, name: string, operator: string): Promise<OrganisationSummary> {
    const { id } = await this.find(nameOrId);
    try {
      await this.work.write(async (tx) => {
        const organisations = tx.withRepository(this.organisations);
        const { name: from } = await organisations.findOneOrFail({
          where: { id },
          lock: { mode: 'pessimistic_write' },
        });
        if (name === from) return;
        await organisations.update(id, { name });
        const details = { from: { name: from }, to: { name } };
        await this.audit.record(tx, { operator, action: 'organisation.rename', subject: from, details });
      });
    } catch (error) {
      throw sqlState(error) === UNIQUE_VIOLATION ? organisationExists(name) : error;
    }
    return { id, name };
  }

  /** All organisations, by name. */
  async list(): Promise<OrganisationSummary[]> {
    const organisations = await this.work.query((tx) =>
      tx.withRepository(this.organisations).find({ order: { name: 'ASC' } }),
    );
    return organisations.map(({ id, name }) => ({ id, name }));
  }

  /**
   * Find an organisation by its id or, if no organisation has this id, by its name.
   *
   * @throws CommandError `organisation_not_found`
   * Source: choices, section 6.
   */
  async find(nameOrId: string): Promise<OrganisationSummary> {
    const found = await this.work.query(async (tx) => {
      const organisations = tx.withRepository(this.organisations);
      return (
        (isUuid(nameOrId) ? await organisations.findOneBy({ id: nameOrId }) : null) ??
        organisations.findOneBy({ name: nameOrId })
      );
    });
    if (!found) {
      const hint = didYouMean(
        nameOrId,
        (await this.list()).map(({ name }) => name),
        shellWord,
      );
      throw new CommandError(
        'organisation_not_found',
        `There is no organisation with the name or id ${nameOrId}.${hint}`,
      );
    }
    return { id: found.id, name: found.name };
  }

  /**
   * Revoke every token that was issued to an organisation, by raising its token version.
   *
   * @param operator the name to record
   * @returns the time of the change; tokens issued later are valid
   * Source: choices A4, O6.
   */
  revokeTokens(organisationId: string, operator: string): Promise<Date> {
    return this.work.write(async (tx) => {
      const result = await tx
        .withRepository(this.organisations)
        .createQueryBuilder()
        .update()
        .set({ tokenVersion: () => 'token_version + 1' })
        .where({ id: organisationId })
        .returning('name, token_version, now() AS changed_at')
        .execute();
      const [change] = result.raw as { name: string; token_version: number; changed_at: Date }[];
      if (!change) throw new Error(`There is no organisation ${organisationId}.`);
      const { name, token_version, changed_at } = change;
      await this.audit.record(tx, {
        operator,
        action: 'organisation.force_reauthentication',
        subject: name,
        details: { from: { token_version: token_version - 1 }, to: { token_version } },
      });
      return changed_at;
    });
  }
}

function organisationExists(name: string): CommandError {
  return new CommandError('organisation_exists', `There is an organisation named ${name} already.`);
}
