import type { ErrorCode } from '../../../errors.ts';

/**
 * Why a VPS can't be evaluated. `notShown`: the response lacks the figure or state. `allZero`: all figures are zero, as
 * if nothing had been measured. `off`: the VPS is off and has no figures. For all other reasons, reading failed.
 */
export const unreadReasons = [
  'failed',
  'noAnswer',
  'quotaExceeded',
  'keyRejected',
  'notPermitted',
  'denied',
  'notFound',
  'notListed',
  'serviceFailed',
  'notShown',
  'allZero',
  'off',
] as const;

export type UnreadReason = (typeof unreadReasons)[number];

const reasonsByCode: Partial<Record<ErrorCode, UnreadReason>> = {
  service_unreachable: 'noAnswer',
  service_timeout: 'noAnswer',
  service_connection_lost: 'noAnswer',
  deadline_passed: 'noAnswer',
  quota_exceeded: 'quotaExceeded',
  key_rejected: 'keyRejected',
  permission_missing: 'notPermitted',
  access_denied: 'denied',
  not_found: 'notFound',
  service_failed: 'serviceFailed',
};

export function toUnreadReason(code: ErrorCode): UnreadReason {
  return reasonsByCode[code] ?? 'failed';
}

const reasonTexts: Readonly<Record<UnreadReason, string>> = {
  failed: "Rackhand can't use the hosting service's response",
  noAnswer: "the hosting service didn't answer",
  quotaExceeded: "the API key's request quota is used up",
  keyRejected: 'the hosting service rejected the API key',
  notPermitted: "the API key isn't permitted to read this",
  denied: 'the hosting service denied access (HTTP 403)',
  notFound: 'the hosting service found no such VPS',
  notListed: "it isn't in the part of the list of VPS that Rackhand could read",
  serviceFailed: 'the hosting service reported an internal error',
  notShown: "the service's response has no such value that Rackhand understands",
  allZero: "every figure in the service's response is zero",
  off: 'it is off and has no live data',
};

/** Formats the reason as the end of a sentence. */
export function formatUnreadReason(reason: UnreadReason): string {
  return reasonTexts[reason];
}
