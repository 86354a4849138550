import { type ErrorCode, RackhandError } from '../error.ts';
import type { Permission } from './endpoint.ts';

/**
 * What is known of a failed call's fate: `never-left` means that the service cannot have acted on it, `answered`
 * that the service said no itself, `unknown` that it left and nothing came back that tells.
 */
export type Fate = 'never-left' | 'answered' | 'unknown';

export interface HostingFailure {
  readonly fate: Fate;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** Permission that the key lacks, with code `permission_missing`. */
  readonly permission?: Permission;
  /** The service's own words: foreign text, at most 300 characters, without line breaks. */
  readonly serviceMessage?: string;
  /** How long the service asks to wait, with code `quota_exceeded`. */
  readonly retryAfterMs?: number;
}

/** A call to the hosting service that did not succeed. */
export class HostingError extends RackhandError {
  readonly failure: HostingFailure;

  constructor(code: ErrorCode, message: string, failure: HostingFailure, cause?: unknown) {
    super(code, message, { cause });
    this.failure = failure;
  }
}
