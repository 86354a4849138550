import { webApi } from '@slack/bolt';

/** Slack's errors that mean that the app can't post in a channel. */
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

/** Returns whether the app can't post in that channel or to that person. */
export function isCannotPostError(error: unknown): boolean {
  return isSlackPlatformError(error) && cannotPostErrors.has(error.data.error);
}

/** Slack's errors for a token that was revoked or was never valid. */
const tokenErrors = new Set(['token_revoked', 'account_inactive', 'invalid_auth']);

/** Returns whether a token that rotates has expired. The app is still installed then. */
export function isExpiredTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && error.data.error === 'token_expired';
}

/** Returns whether Slack rejected the token. */
export function isTokenError(error: unknown): boolean {
  return isSlackPlatformError(error) && tokenErrors.has(error.data.error);
}
