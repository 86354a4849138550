import { type ErrorCode, RackhandError } from '../error.ts';
import { HostingError } from '../hosting/hosting-error.ts';
import type { Fact, NextStep } from './outcome.ts';

/** What a person reads when something did not go through: what happened, what was changed, what to do. */
export interface Problem {
  readonly code: ErrorCode;
  readonly what: string;
  /** The service's own words, foreign text. */
  readonly serviceSays?: string;
  readonly changed: string;
  readonly next: string;
  /** What was read back of the target afterwards. */
  readonly facts?: readonly Fact[];
  readonly steps?: readonly NextStep[];
}

const nothingChanged = 'Nothing was changed.';

/** Turns an error into what a person reads; the one place that does. `changing`: the call that failed was to change something. */
export function explain(error: unknown, { changing }: { readonly changing: boolean }): Problem {
  if (!(error instanceof RackhandError)) {
    return {
      code: 'internal',
      what: 'Something went wrong inside Rackhand.',
      changed: changing ? 'Whether anything was changed is not known.' : nothingChanged,
      next: nextSteps.internal,
    };
  }
  const failure = error instanceof HostingError ? error.failure : undefined;
  return {
    code: error.code,
    what: error.message,
    ...(failure?.serviceMessage && { serviceSays: failure.serviceMessage }),
    changed: changing && failure ? fateInWords(failure) : nothingChanged,
    next: nextSteps[error.code],
  };
}

function fateInWords({ fate, status }: HostingError['failure']): string {
  if (fate === 'unknown')
    return 'Whether anything was changed is not known, and Rackhand does not send it again by itself.';
  if (fate === 'answered' && status !== undefined && status >= 500) {
    return 'The service does not say whether anything was changed.';
  }
  return nothingChanged;
}

const askAdmin = 'Ask whoever looks after Rackhand in your team';

const nextSteps: Record<ErrorCode, string> = {
  service_unreachable:
    'Try again in a few minutes; if it stays so, look at the status page of the hosting service.',
  service_timeout: 'Look at the present state before you try again.',
  service_connection_lost: 'Look at the present state before you try again.',
  not_installed: `${askAdmin} to install it.`,
  key_missing: `${askAdmin} to connect an API key.`,
  key_rejected: `${askAdmin} to check the API key; it may have been revoked.`,
  permission_missing: `${askAdmin} to give the API key this permission.`,
  not_found: 'Check the name; /vps list shows what there is.',
  refused: 'Change what the service names, and try again.',
  quota_exceeded: 'Try again in a minute; something else uses the same API key.',
  service_failed:
    'Try again in a few minutes; if it stays so, look at the status page of the hosting service.',
  answer_not_json: `Try again; if it stays so, ${askAdmin.toLowerCase()} to check the address of the service.`,
  answer_unsuccessful: 'Look at the present state before you try again.',
  answer_unexpected: `${askAdmin} to check the address of the service and its version.`,
  answer_too_large: `${askAdmin}: the service answers more than Rackhand reads.`,
  deadline_passed: 'Ask again if you still want it.',
  input_invalid: 'Correct it and send it again.',
  setting_invalid: `${askAdmin} to look at its log.`,
  secret_unreadable: `${askAdmin} to check ENCRYPTION_KEYS.`,
  not_yours: 'Ask for it yourself.',
  cancelled: 'Ask again whenever you like.',
  stopped: 'Look at the present state before you try again.',
  internal: `Try again; if it stays so, ${askAdmin.toLowerCase()} to look at its log.`,
};
