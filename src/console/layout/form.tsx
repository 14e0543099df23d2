import type { ComponentChildren, VNode } from 'preact';
import { usePageContext } from './page-context.js';

/** The field that carries the token of a form. */
export const FORM_TOKEN_FIELD = '_csrf';

/** A form that changes something; it carries the token without which a POST is refused (choice C3). */
export function PostForm({ action, children }: { action: string; children: ComponentChildren }): VNode {
  const { makeFormToken } = usePageContext();
  return (
    <form method="post" action={action}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={makeFormToken()} />
      {children}
    </form>
  );
}
