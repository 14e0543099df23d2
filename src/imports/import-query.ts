import { QueryBooleanField } from '../common/validation/field.decorators.js';
import type { ImportMode } from './import-request.js';

/** The query parameters of every POST (choice R1). */
export class ImportQuery {
  @QueryBooleanField({
    optional: true,
    description:
      'Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless.',
  })
  dry_run?: boolean;
}

export function toImportMode({ dry_run }: ImportQuery): ImportMode {
  return dry_run === true ? 'dry_run' : 'store';
}
