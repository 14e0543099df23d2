/** Stands for what belongs to another organisation (choice C3). */
export const ANOTHER_ORGANISATION = 'another organisation';

/** The API key that a request was sent with, and its organisation. */
export interface Sender {
  readonly organisation: string;
  readonly label: string;
}

/** Who sent some requests, by their API keys. */
export interface Senders {
  /** Undefined of a key that the viewer must not know. */
  readonly find: (apiKeyId: string) => Sender | undefined;
  /** Whether the viewer may know the id of a request that was sent with the key. */
  readonly isKnown: (apiKeyId: string) => boolean;
}
