import { type ErrorCode, RackhandError } from '../errors.ts';
import type { Permission } from './endpoints/endpoint.ts';

/**
 * How far a failed call got.
 * - `not-sent`: the service can't have acted on it.
 * - `answered`: the service itself refused.
 * - `unknown`: the call was sent, and it's unknown whether it took effect.
 */
export type SendState = 'not-sent' | 'answered' | 'unknown';

export interface HostingFailure {
  readonly sendState: SendState;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /** The missing permission. Set only if the code is `permission_missing`. */
  readonly permission?: Permission;
  /** The service's own message. Untrusted; one line of at most 300 characters. */
  readonly serviceMessage?: string;
  /** Set if the service's own message isn't shown, because it may contain a secret. */
  readonly isMessageHidden?: true;
  /** How long the service asked to wait. Set only if the code is `quota_exceeded`. */
  readonly retryAfterMs?: number;
}

export class HostingError extends RackhandError {
  readonly failure: HostingFailure;

  constructor(code: ErrorCode, message: string, failure: HostingFailure, cause?: unknown) {
    super(code, message, { cause });
    this.failure = failure;
  }
}
