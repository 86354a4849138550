import { webApi } from '@slack/bolt';
import { RackhandError } from '../../errors.ts';
import type { PostResult } from '../../monitoring/shared/channel-publisher.ts';
import type { SlackClient, SlackClients } from '../client/slack-clients.ts';
import {
  isCannotPostError,
  isServerError,
  isSlackPlatformError,
  isTokenError,
} from '../client/slack-errors.ts';
import { requirePosted } from './require-posted.ts';

/**
 * Posts a message and returns the result. Throws if it's unknown whether the message was posted, or
 * if Slack rejected the token.
 */
export async function attemptPost(
  clients: SlackClients,
  teamId: string,
  post: (client: SlackClient) => Promise<Parameters<typeof requirePosted>[0]>,
): Promise<PostResult> {
  try {
    const { ts } = requirePosted(await post(await clients(teamId)));
    return { kind: 'posted', ts };
  } catch (error) {
    const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
    if (isRemoved || isCannotPostError(error)) return { kind: 'channelGone' };
    if (error instanceof webApi.WebAPIRateLimitedError)
      return { kind: 'rateLimited', retryInMs: error.retryAfter * 1_000 };
    if (!isSlackPlatformError(error) || isTokenError(error) || isServerError(error)) throw error;
    return { kind: 'rejected', error: error.data.error };
  }
}
