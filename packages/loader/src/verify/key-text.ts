import type { Kind } from '../rows/row.js';

/** Characters that are shown of a note. */
const SHOWN_OF_NOTE = 40;

/**
 * What a row is called: its id, `vendor:reference`, the first characters of a note, or of its first document where it has no body;
 * empty where it has none of them.
 *
 * @param item JSON text of an object
 * Source: choice V9.
 */
export function keyText(kind: Kind, item: string): string {
  const fields = JSON.parse(item) as Record<string, unknown>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  switch (kind) {
    case 'transactions':
      return text('transaction_id');
    case 'statements':
      return text('statement_id');
    case 'payment-instructions':
      return `${text('vendor')}:${text('reference')}`;
    case 'notes':
      return Array.from(text('body') || firstPath(fields.document_paths))
        .slice(0, SHOWN_OF_NOTE)
        .join('');
  }
}

function firstPath(paths: unknown): string {
  const [first] = Array.isArray(paths) ? (paths as unknown[]) : [];
  const isPath = typeof first === 'object' && first !== null && 'document_path' in first;
  return isPath && typeof first.document_path === 'string' ? first.document_path : '';
}
