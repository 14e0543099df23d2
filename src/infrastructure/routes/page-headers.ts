/** What a page may load and do: what comes from the service itself, and nothing written into the page. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
};

/**
 * The headers of a page for a browser, beside those of every answer (apps/http/plugins/answer-headers.plugin.ts).
 *
 * @param policy directives of Content-Security-Policy, instead of those of every page or beside them
 */
export function pageHeaders(policy: Readonly<Record<string, string>> = {}): Record<string, string> {
  const directives = Object.entries({ ...POLICY, ...policy }).map((directive) => directive.join(' '));
  return {
    'content-security-policy': directives.join('; '),
    'referrer-policy': 'same-origin',
  };
}
