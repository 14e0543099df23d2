// The public exports for the platform's programs.
export { PlatformClient } from './platform-client.js';
export type { ReadChange } from './feed.js';
export {
  ApiKeyRefusedError,
  AuthenticationError,
  ConnectionError,
  DataImportError,
  FeedRestartedError,
  InvalidInputError,
  NotFoundError,
  ServiceError,
  TimeoutError,
  ValidationError,
  type LocalErrorCode,
} from './errors.js';
export type { CallOptions, ChangesOptions, ClientOptions } from './options.js';
export type { RetryEvent, RetryOptions, RetryReason } from './retry.js';
export type { ApiKey } from './tokens.js';
export type { ErrorCode, FieldError } from './contract.generated.js';
export type { Change, RemovedChange, Supplier } from './platform.generated.js';
