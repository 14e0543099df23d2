import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SendersRepository } from './senders.repository.js';
import type { Senders } from './senders.types.js';
import { organisationOf, type Viewer } from './viewer.js';

/** Who sent requests: an operator sees all of them, an admin the own organisation. */
@Injectable()
export class SendersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: SendersRepository,
  ) {}

  /** The senders with these API keys, as a viewer may know them. Source: choice C3. */
  async list(viewer: Viewer, apiKeyIds: Iterable<string>): Promise<Senders> {
    const keys = await this.work.single((tx) =>
      this.repository.listKeys(tx, [...new Set(apiKeyIds)], organisationOf(viewer)),
    );
    const senders = new Map(
      keys.map((key) => [key.id, { organisation: key.organisation.name, label: key.label }]),
    );
    return {
      find: (apiKeyId) => senders.get(apiKeyId),
      isKnown: (apiKeyId) => viewer.kind === 'operator' || senders.has(apiKeyId),
    };
  }
}
