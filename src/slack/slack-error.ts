import { webApi } from '@slack/bolt';

/** Slack's answers that mean: the app cannot speak there. */
const noPlace = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_in_channel',
  'restricted_action',
]);

/** Tells whether Slack answered with a refusal, and gives its own word for why. */
export function isRefusedBySlack(error: unknown): error is webApi.WebAPIPlatformError {
  return error instanceof webApi.WebAPIPlatformError;
}

/** Tells whether Slack refused because the app, or the person, is not in that channel. */
export function cannotSpeakThere(error: unknown): boolean {
  return isRefusedBySlack(error) && noPlace.has(error.data.error);
}

/** Slack's answers that mean: this token works no more, or never did. */
const noToken = new Set(['token_revoked', 'account_inactive', 'invalid_auth']);

/** Tells whether Slack refused because of the token. */
export function isTokenRefused(error: unknown): boolean {
  return isRefusedBySlack(error) && noToken.has(error.data.error);
}
