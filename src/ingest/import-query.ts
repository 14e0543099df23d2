import { QueryBooleanField } from '../infrastructure/validation/field.decorators.js';

/** The query parameters of every POST (choice R1). */
export class ImportQuery {
  @QueryBooleanField({
    optional: true,
    description:
      'Validate the request and answer as usual, but store nothing. Payment vendors are called nevertheless.',
  })
  dry_run?: boolean;
}
