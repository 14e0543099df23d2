import type { ComponentChildren, VNode } from 'preact';
import { FORM_TOKEN_FIELD } from '../signed-in/form-token.js';
import { usePageContext } from './page-context.js';

/** A form that changes something. It carries the token that a POST must have (choice C3). */
export function PostForm({ action, children }: { action: string; children: ComponentChildren }): VNode {
  const { makeFormToken } = usePageContext();
  return (
    <form method="post" action={action}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={makeFormToken()} />
      {children}
    </form>
  );
}
