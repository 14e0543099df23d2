import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Viewer } from '../viewers/viewer.js';
import { RefusalGroupsRepository } from './refusals.repository.js';

/** Stands for what belongs to another organisation (choice C3). */
export const ANOTHER_ORGANISATION = 'another organisation';

/** Whose requests a viewer sees. */
@Injectable()
export class RequestOwners {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RefusalGroupsRepository,
  ) {}

  /**
   * Whether a viewer sees the id of a request, by its API key: an operator all of them, an admin those of the own organisation.
   *
   * Source: choice C3.
   */
  async of(viewer: Viewer): Promise<(apiKeyId: string) => boolean> {
    if (viewer.kind === 'operator') return () => true;
    const keys = await this.work.single((tx) => this.repository.listKeys(tx, viewer.organisationId));
    const own = new Set(keys);
    return (apiKeyId) => own.has(apiKeyId);
  }
}
