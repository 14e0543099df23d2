/** How the audit names whoever acts with an API key (choice O6). */
export function recordedAsKey(apiKeyId: string): string {
  return `api key ${apiKeyId}`;
}
