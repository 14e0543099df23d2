import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RunsService } from '../runs/runs.service.js';
import type { Run, RunName, RunningRun } from '../runs/runs.types.js';
import { DocumentsService } from './documents.service.js';

const lookUpOf = (code: string): RunName => ({ importSupplier: code, kind: 'documents' });

/** Checks of the documents of a supplier that nobody waits for. One that ends early goes on where it was with the next one. */
@Injectable()
export class DocumentRunsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly runs: RunsService,
    private readonly documents: DocumentsService,
  ) {}

  /**
   * Begin to look up the documents of a supplier that were not seen.
   *
   * @param code of a supplier that exists
   * @param operator who asks; recorded
   * @returns false when a look-up of the supplier is under way that the console began; then nothing is begun
   * Source: choice F5.
   */
  begin(code: string, operator: string): Promise<boolean> {
    return this.runs.begin(lookUpOf(code), (run) => this.lookUp(code, operator, run));
  }

  /** The look-up of a supplier that is under way, or has ended within an hour. */
  find(code: string): Promise<Run | undefined> {
    return this.runs.find(lookUpOf(code));
  }

  private async lookUp(
    code: string,
    operator: string,
    { interrupted, expect, advance }: RunningRun,
  ): Promise<void> {
    await expect(await this.documents.countNotSeen(code));
    const { missing } = await this.documents.check(code, {
      ...{ operator, interrupted },
      onProgress: (done) => this.work.single((tx) => advance(tx, done)),
    });
    missing.dispose();
  }
}
