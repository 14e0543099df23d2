import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';

/** The id of an import request as a link to its page (choice C11); nothing when the id is unknown. */
export function RequestLink({ id }: { id: string | undefined }): VNode | null {
  if (id === undefined) return null;
  return (
    <a href={ADDRESSES.request(id)} title={id}>
      <code>{id}</code>
    </a>
  );
}

/** Copies the text of the element before it (assets/copy.js). */
export function CopyButton(): VNode {
  return <button type="button" class="copy" aria-label="Copy" />;
}
