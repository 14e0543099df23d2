import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';

/** The id of an import request, which leads to its page (choice C11); nothing where it is not known. */
export function RequestLink({ id }: { id: string | undefined }): VNode | null {
  if (id === undefined) return null;
  return (
    <a href={ADDRESSES.request(id)}>
      <code>{id}</code>
    </a>
  );
}
