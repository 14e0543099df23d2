/** Default policy of a page: only resources from the service itself, and nothing inline. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
};

/**
 * The headers of a page for a browser, in addition to those of every response (apps/http/plugins/answer-headers.plugin.ts).
 *
 * @param policy Content-Security-Policy directives that replace or extend those of every page
 */
export function pageHeaders(policy: Readonly<Record<string, string>> = {}): Record<string, string> {
  const directives = Object.entries({ ...POLICY, ...policy }).map((directive) => directive.join(' '));
  return {
    'content-security-policy': directives.join('; '),
    'referrer-policy': 'same-origin',
  };
}
