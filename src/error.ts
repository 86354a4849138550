interface ErrorKind {
  /** Goes to logs and metrics: static, so that it can never carry a secret. */
  readonly label: string;
  /** Whether the same thing, tried again later and unchanged, can succeed. */
  readonly retryable: boolean;
}

const kinds = {
  service_unreachable: { label: 'no route to the hosting service', retryable: true },
  service_timeout: { label: 'the hosting service did not answer in time', retryable: true },
  service_connection_lost: { label: 'the connection to the hosting service broke', retryable: true },
  not_installed: { label: 'the app is not installed in the workspace', retryable: false },
  key_missing: { label: 'the workspace has no API key', retryable: false },
  key_rejected: { label: 'the hosting service rejected the API key', retryable: false },
  permission_missing: { label: 'the API key lacks a permission', retryable: false },
  not_found: { label: 'the hosting service knows no such resource', retryable: false },
  refused: { label: 'the hosting service refused the request', retryable: false },
  quota_exceeded: { label: 'the hosting service answered 429', retryable: true },
  service_failed: { label: 'the hosting service failed', retryable: true },
  answer_not_json: { label: 'the answer was not JSON', retryable: true },
  answer_unsuccessful: { label: 'the answer did not say success', retryable: false },
  answer_unexpected: { label: 'the answer lacked documented fields', retryable: false },
  answer_too_large: { label: 'the answer was too large', retryable: false },
  deadline_passed: { label: 'no slot came free before the deadline', retryable: true },
  input_invalid: { label: 'the input was not understood', retryable: false },
  setting_invalid: { label: 'a setting is missing or malformed', retryable: false },
  not_yours: { label: 'a run of somebody else, or of nobody', retryable: false },
  people_unknown: { label: 'Slack could not say who somebody is, or reach them', retryable: true },
  not_permitted: { label: 'the person lacks a right', retryable: false },
  cancelled: { label: 'the person cancelled', retryable: true },
  stopped: { label: 'Rackhand was stopped meanwhile', retryable: true },
  internal: { label: 'an error inside Rackhand', retryable: true },
  secret_unreadable: { label: 'a stored secret cannot be decrypted', retryable: false },
} as const satisfies Record<string, ErrorKind>;

/** Every way in which Rackhand fails, for code to decide by. */
export type ErrorCode = keyof typeof kinds;

/**
 * The one base of Rackhand's errors. `message` is a full sentence that a person may read: what happened, without
 * secrets and without markup.
 */
export class RackhandError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  get label(): string {
    return kinds[this.code].label;
  }

  get retryable(): boolean {
    return kinds[this.code].retryable;
  }
}
