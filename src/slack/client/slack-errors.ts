import { webApi } from '@slack/bolt';

/** Slack's errors for a channel or person that the app can't post to. */
const cannotPostErrors = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_in_channel',
  'user_not_found',
  'user_disabled',
  'messages_tab_disabled',
  'restricted_action',
  'restricted_action_read_only_channel',
]);

/** Returns whether Slack's API returned an error; `error.data.error` is its code. */
export function isSlackPlatformError(error: unknown): error is webApi.WebAPIPlatformError {
  return error instanceof webApi.WebAPIPlatformError;
}

export function isCannotPostError(error: unknown): boolean {
  return isSlackPlatformError(error) && cannotPostErrors.has(error.data.error);
}

/** Returns the missing scope that made Slack reject a call, or undefined for other errors. */
export function missingScope(error: unknown): string | undefined {
  if (!isSlackPlatformError(error) || error.data.error !== 'missing_scope') return undefined;
  return 'needed' in error.data ? String(error.data.needed) : '';
}

const tokenErrors = new Set(['token_revoked', 'account_inactive', 'invalid_auth']);

/** Returns whether Slack rejected an expired rotating token. The app is still installed. */
export function isExpiredTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && error.data.error === 'token_expired';
}

/** Returns whether Slack rejected the token because it was revoked or never valid. */
export function isTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && tokenErrors.has(error.data.error);
}

/** Errors of Slack's own servers. The message may still have been posted. */
const serverErrors = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']);

/** Returns whether Slack failed to process a call. It's unknown whether a message was posted. */
export function isServerError(error: unknown): boolean {
  return isSlackPlatformError(error) && serverErrors.has(error.data.error);
}

/** Node's errors for a connection that was never established. */
const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Returns whether a call failed before it reached Slack, so it had no effect. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof webApi.WebAPIRequestError)) return false;
  const { cause } = error.original;
  return cause instanceof Error && 'code' in cause && connectionErrors.has(String(cause.code));
}
