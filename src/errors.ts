interface ErrorKind {
  /** Used in logs and metrics. Fixed text, so it can't contain a secret. */
  readonly label: string;
  readonly isRetryable: boolean;
}

const errorKinds = {
  service_unreachable: { label: 'the hosting service cannot be reached', isRetryable: true },
  service_timeout: { label: 'the hosting service did not answer in time', isRetryable: true },
  service_unresponsive: {
    label: 'the hosting service does not answer, so changes are refused',
    isRetryable: true,
  },
  service_connection_lost: { label: 'the connection to the hosting service was lost', isRetryable: true },
  not_installed: { label: 'the app is not installed in the workspace', isRetryable: false },
  key_missing: { label: 'the workspace has no API key', isRetryable: false },
  key_rejected: { label: 'the hosting service rejected the API key', isRetryable: false },
  permission_missing: { label: 'the API key lacks a permission', isRetryable: false },
  access_denied: { label: 'the hosting service answered 403', isRetryable: false },
  not_found: { label: 'the hosting service has no such resource', isRetryable: false },
  refused: { label: 'the hosting service rejected the request', isRetryable: false },
  quota_exceeded: { label: 'the hosting service answered 429', isRetryable: true },
  service_failed: { label: 'the hosting service failed', isRetryable: true },
  response_not_json: { label: 'the response was not JSON', isRetryable: true },
  response_unsuccessful: { label: 'the response did not report success', isRetryable: false },
  response_unexpected: { label: 'the response lacked documented fields', isRetryable: false },
  response_too_large: { label: 'the response was too large', isRetryable: false },
  deadline_passed: { label: 'the deadline passed', isRetryable: true },
  input_invalid: { label: 'the input is invalid', isRetryable: false },
  setting_invalid: { label: 'a setting is missing or malformed', isRetryable: false },
  not_run_owner: { label: 'the run belongs to someone else or does not exist', isRetryable: false },
  scope_missing: { label: 'the app lacks a Slack scope', isRetryable: false },
  member_unknown: { label: 'a Slack member could not be looked up or reached', isRetryable: true },
  suspended: { label: 'the operator has suspended the workspace', isRetryable: false },
  install_refused: { label: 'the operator does not accept the installation', isRetryable: false },
  not_permitted: { label: 'the person lacks a right', isRetryable: false },
  target_changed: { label: 'the target has changed since the confirmation', isRetryable: true },
  batch_incomplete: { label: 'a batch did not succeed on every VPS', isRetryable: true },
  snapshot_incomplete: { label: 'the snapshot before a change is not complete', isRetryable: true },
  cancelled: { label: 'the person cancelled', isRetryable: true },
  row_unreadable: { label: 'a stored row cannot be read', isRetryable: false },
  run_unreadable: { label: 'a stored run cannot be read', isRetryable: false },
  stopped: { label: 'Rackhand was stopped', isRetryable: true },
  internal: { label: 'an internal error', isRetryable: true },
  database_unreachable: { label: 'the database cannot be reached', isRetryable: true },
  database_claimed: { label: 'another process uses the database', isRetryable: true },
  secret_unreadable: { label: 'a stored secret cannot be decrypted', isRetryable: false },
} as const satisfies Record<string, ErrorKind>;

/** Identifies an error. Code checks the code, never the message. */
export type ErrorCode = keyof typeof errorKinds;

/** Returns whether the same call can succeed later. */
export function isRetryable(code: ErrorCode): boolean {
  return errorKinds[code].isRetryable;
}

/** Returns whether work ended because this process is stopping. */
export function isStopped(error: unknown): boolean {
  return error instanceof RackhandError && error.code === 'stopped';
}

/** Returns whether a person cancelled work that was waiting. */
export function isCancelled(error: unknown): boolean {
  return error instanceof RackhandError && error.code === 'cancelled';
}

/** Base class of Rackhand's errors. `message` is a sentence for people, without secrets or markup. */
export class RackhandError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  get label(): string {
    return errorKinds[this.code].label;
  }

  get isRetryable(): boolean {
    return isRetryable(this.code);
  }
}
