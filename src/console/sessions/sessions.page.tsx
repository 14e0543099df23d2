import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import { Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { Page } from '../layout/page.js';
import type { LiveSession } from '../viewers/sessions.types.js';
import type { OperatorViewer } from '../viewers/viewer.js';

/** Everyone who is signed in. */
export function sessionsPage(sessions: readonly LiveSession[], viewer: OperatorViewer): Page {
  return {
    title: 'Sessions',
    place: 'sessions',
    body: (
      <Table caption="Who is signed in. A session ends by itself 12 hours after the sign-in.">
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Since</th>
            <th scope="col">Last seen</th>
            <th scope="col">Ends</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Row key={session.id} session={session} isOwn={session.id === viewer.sessionId} />
          ))}
        </tbody>
      </Table>
    ),
  };
}

function Row({ session, isOwn }: { session: LiveSession; isOwn: boolean }): VNode {
  const { id, operator, organisation, apiKeyId, createdAt, lastSeenAt, expiresAt } = session;
  const who = operator ?? organisation ?? '';
  return (
    <tr>
      <th scope="row">
        {who}
        {isOwn && <span class="muted"> (this session)</span>}
        <div class="muted">{operator === null ? `API key ${apiKeyId ?? ''}` : 'Operator'}</div>
      </th>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>
        <Moment at={lastSeenAt} />
      </td>
      <td>
        <Moment at={expiresAt} />
      </td>
      <td>
        <PostForm action={`${ADDRESSES.sessions}/${id}/revoke`}>
          <button class="danger" aria-label={`Revoke the session of ${who}`}>
            Revoke
          </button>
        </PostForm>
      </td>
    </tr>
  );
}
