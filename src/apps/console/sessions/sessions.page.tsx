import { ADDRESSES, withQuery } from '../common/addresses.js';
import { capitalised } from '../common/format.js';
import type { ListPage } from '../common/cursor.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { List } from '../layout/list.js';
import type { Page } from '../layout/page.js';
import { userName, userRole } from '../signed-in/described-user.js';
import type { LiveSession } from '../signed-in/sessions.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** All sessions, a page at a time. */
export function sessionsPage(page: ListPage<LiveSession>, user: SignedInUser): Page {
  return {
    title: 'Sessions',
    place: 'sessions',
    body: (
      <List
        list={page}
        listed="sessions"
        empty="Nobody is signed in."
        caption="Sessions, newest first"
        addressOf={(after) => withQuery(ADDRESSES.sessions, { after })}
        columns={[
          {
            head: 'User',
            kind: 'row',
            cell: (session) => (
              <>
                {userName(session)}
                {session.id === user.sessionId && <span class="muted"> (this session)</span>}
                <div class="muted">{capitalised(userRole(session))}</div>
              </>
            ),
          },
          { head: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          { head: 'Last seen', cell: ({ lastSeenAt }) => <DateTime at={lastSeenAt} relative /> },
          { head: 'Ends', cell: ({ expiresAt }) => <DateTime at={expiresAt} relative /> },
          {
            head: 'Action',
            cell: (session) => (
              <PostForm action={`${ADDRESSES.sessions}/${session.id}/revoke`}>
                <button class="danger" aria-label={`Revoke the session of ${userName(session)}`}>
                  Revoke
                </button>
              </PostForm>
            ),
          },
        ]}
      />
    ),
  };
}
