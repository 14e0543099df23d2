import { SPANS, type Span } from './progress.types.js';

/** The span that an address requests; an hour unless it is a known one. @param text of the query `span` */
export function spanOf(text: unknown): Span {
  return typeof text === 'string' && Object.hasOwn(SPANS, text) ? (text as Span) : 'hour';
}
