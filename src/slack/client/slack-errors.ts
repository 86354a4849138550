import { webApi } from '@slack/bolt';

/** Slack's errors for a channel or person that the app can't post to. */
const cannotPostErrors = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_in_channel',
  'restricted_action',
]);

/** Returns whether Slack's API returned an error; `error.data.error` is its code. */
export function isSlackPlatformError(error: unknown): error is webApi.WebAPIPlatformError {
  return error instanceof webApi.WebAPIPlatformError;
}

/** Returns whether an error means that the app can't post in the channel or to the person. */
export function isCannotPostError(error: unknown): boolean {
  return isSlackPlatformError(error) && cannotPostErrors.has(error.data.error);
}

/** Returns the scope that a rejected call needs and the app lacks, or undefined for other errors. */
export function missingScope(error: unknown): string | undefined {
  if (!isSlackPlatformError(error) || error.data.error !== 'missing_scope') return undefined;
  return 'needed' in error.data ? String(error.data.needed) : '';
}

/** Slack's errors for a token that was revoked or was never valid. */
const tokenErrors = new Set(['token_revoked', 'account_inactive', 'invalid_auth']);

/**
 * Returns whether Slack rejected a rotating token because it has expired. The app is still
 * installed.
 */
export function isExpiredTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && error.data.error === 'token_expired';
}

/** Returns whether Slack rejected the token because it was revoked or never valid. */
export function isTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && tokenErrors.has(error.data.error);
}

/** Slack's errors of its own servers. A message may have been posted all the same. */
const serverErrors = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']);

/** Returns whether Slack failed to process a call. It's unknown whether a message was posted. */
export function isServerError(error: unknown): boolean {
  return isSlackPlatformError(error) && serverErrors.has(error.data.error);
}

/** Returns whether the same call can succeed later: Slack couldn't be reached, or didn't process it. */
export function isSlackAway(error: unknown): boolean {
  return (
    error instanceof webApi.WebAPIRequestError ||
    error instanceof webApi.WebAPIHTTPError ||
    error instanceof webApi.WebAPIRateLimitedError ||
    isServerError(error)
  );
}
