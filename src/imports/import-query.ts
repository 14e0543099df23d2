import { Omittable } from '../common/validation/field.decorators.js';
import { QueryBoolean } from '../common/validation/query.js';
import { described, truth } from '../common/validation/rules.js';
import type { ImportMode } from './import-request.js';

/** The query parameters of every POST (contract R1). */
export class ImportQuery {
  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Check and answer as always, but store nothing. A payment vendor is asked all the same.',
    ),
  )
  dry_run?: boolean;
}

export function toImportMode({ dry_run }: ImportQuery): ImportMode {
  return dry_run === true ? 'dry_run' : 'store';
}
