import { formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import type { Page } from '../layout/page.js';
import { Table } from '../layout/table.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { causeAddress, causeCount, CauseName, CauseRemedy } from './cause-parts.js';
import { PERIODS, type SharedCause } from './failures.types.js';

const PERIOD = '30-days';

/** The causes of the failures of all suppliers, the most common first. */
export function allFailuresPage(user: SignedInUser, causes: readonly SharedCause[]): Page {
  return {
    title: `Failures of the ${PERIODS[PERIOD].words}`,
    place: 'causes',
    body:
      causes.length === 0 ? (
        <p class="empty">
          No request was rejected in the {PERIODS[PERIOD].words}, and no account has failed.
        </p>
      ) : (
        <Table
          caption="Causes, most common first"
          kind="causes"
          rows={causes}
          columns={[
            {
              head: 'Cause',
              kind: 'row',
              cell: ({ cause, suppliers: [most] }) => (
                <CauseName cause={cause} address={most && causeAddress(most.code, cause, PERIOD)} />
              ),
            },
            {
              head: 'Count',
              kind: 'number',
              cell: ({ cause, count }) => causeCount(cause.source, count),
            },
            {
              head: 'Suppliers',
              cell: ({ cause, suppliers }) =>
                suppliers.map(({ code, count }, index) => (
                  <>
                    {index > 0 && ', '}
                    <a href={causeAddress(code, cause, PERIOD)}>{code}</a> {formatCount(count)}
                  </>
                )),
            },
            { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} relative /> },
            { head: 'What to do', cell: ({ cause }) => <CauseRemedy cause={cause} user={user} /> },
          ]}
        />
      ),
  };
}
