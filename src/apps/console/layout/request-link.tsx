import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';

/** The id of an import request as a link to its page (choice C11); nothing when the id is unknown. */
export function RequestLink({ id }: { id: string | undefined }): VNode | null {
  if (id === undefined) return null;
  return (
    <a href={ADDRESSES.request(id)}>
      <code>{id}</code>
    </a>
  );
}
