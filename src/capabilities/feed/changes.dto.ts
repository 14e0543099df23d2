import {
  ruleField,
  QueryIntegerField,
  IdentifierField,
} from '../../infrastructure/validation/field.decorators.js';
import type { PlainRule } from '../../infrastructure/validation/rules/rule.js';
import { parseCursor } from './cursor.js';

const LIMIT_MAX = 1_000;
const WAIT_SECONDS_MAX = 30;

export class FeedPathDto {
  @IdentifierField({ description: 'Code of the import supplier; compared exactly, including case.' })
  code: string;
}

const CURSOR: PlainRule = {
  violation: (text) =>
    typeof text === 'string' && parseCursor(text)
      ? undefined
      : { code: 'invalid_cursor', detail: 'The text is no cursor of this interface.' },
  schema: { type: 'string' },
};

/** Which changes of a supplier to read (choices E1, E6). */
export class ChangesQuery {
  @ruleField(CURSOR, {
    optional: true,
    description:
      'The changes after it: `cursor` of the last answer. Without one the answer begins with the first change of the supplier.',
  })
  cursor?: string;

  @QueryIntegerField({
    min: 1,
    max: LIMIT_MAX,
    optional: true,
    description: `The most changes of the answer; ${LIMIT_MAX} of a page and all of a stream by default. A page ends at 8 MiB too.`,
  })
  limit?: number;

  @QueryIntegerField({
    min: 0,
    max: WAIT_SECONDS_MAX,
    optional: true,
    description: 'How many seconds an empty answer is kept open until there is a change; 0 by default.',
  })
  wait?: number;

  @IdentifierField({
    optional: true,
    description:
      'The name of the reader. It says that everything up to the cursor is done, and operators see how far behind it is.',
  })
  reader?: string;
}
