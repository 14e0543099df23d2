import type { LoadMode } from '../database/unit-of-work.js';
import { Omittable } from '../common/validation/field.decorators.js';
import { QueryBoolean } from '../common/validation/query.js';
import { described, truth } from '../common/validation/rules.js';

/** The query parameters of every POST (contract R1). */
export class LoadQuery {
  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Check and answer as always, but store nothing. A payment vendor is asked all the same.',
    ),
  )
  dry_run?: boolean;
}

export function toLoadMode({ dry_run }: LoadQuery): LoadMode {
  return dry_run === true ? 'dry_run' : 'store';
}
