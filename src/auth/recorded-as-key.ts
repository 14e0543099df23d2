/** The name that the audit log uses for a caller that acts with an API key (choice O6). */
export function recordedAsKey(apiKeyId: string): string {
  return `api key ${apiKeyId}`;
}
