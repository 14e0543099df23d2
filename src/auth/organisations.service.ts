import { Injectable } from '@nestjs/common';
import { CommandError } from '../common/command-error.js';
import { isUuid } from '../common/uuid.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { OrganisationsRepository } from './organisations.repository.js';

/** An organisation as operators see it. */
export interface OrganisationSummary {
  readonly id: string;
  readonly name: string;
}

/** The organisations that call the interface. */
@Injectable()
export class OrganisationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: OrganisationsRepository,
  ) {}

  /**
   * Take up an organisation.
   *
   * @param name 1 to 128 characters
   * @throws CommandError `organisation_exists` when the name is taken
   * Source: contract, section 6.
   */
  async create(name: string): Promise<OrganisationSummary> {
    const created = await this.work.single((tx) => this.repository.insert(tx, name));
    if (!created)
      throw new CommandError('organisation_exists', `There is an organisation named ${name} already.`);
    return created;
  }

  /** All organisations, by name. */
  async list(): Promise<OrganisationSummary[]> {
    const organisations = await this.work.single((tx) => this.repository.list(tx));
    return organisations.map(({ id, name }) => ({ id, name }));
  }

  /**
   * The organisation that an operator means; an id counts before a name.
   *
   * @throws CommandError `organisation_not_found`
   * Source: contract, section 6.
   */
  async find(nameOrId: string): Promise<OrganisationSummary> {
    const found = await this.work.single(
      async (tx) =>
        (isUuid(nameOrId) ? await this.repository.findById(tx, nameOrId) : null) ??
        (await this.repository.findByName(tx, nameOrId)),
    );
    if (!found) {
      throw new CommandError(
        'organisation_not_found',
        `There is no organisation with the name or id ${nameOrId}.`,
      );
    }
    return { id: found.id, name: found.name };
  }

  /**
   * End the generation that an organisation's tokens were issued in.
   *
   * @returns the moment from which tokens of the new one are issued
   * Source: contract A4.
   */
  async endGeneration(organisationId: string): Promise<Date> {
    const endedAt = await this.work.single((tx) => this.repository.endGeneration(tx, organisationId));
    if (!endedAt) throw new Error(`The organisation ${organisationId} has disappeared.`);
    return endedAt;
  }
}
