import type { Logger } from 'pino';
import type { Outcome } from '../../operations/define/outcome.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { ChannelRef, PostResult } from './channel-publisher.ts';

/**
 * Posts an outcome in channels that should know what a person did elsewhere. Never rejects. Goes on
 * in the background if Slack is slow.
 */
export type TellChannels = (teamId: string, channels: readonly string[], outcome: Outcome) => Promise<void>;

interface TellChannelsDependencies {
  /** Posts with retries. */
  readonly announce: (channelRef: ChannelRef, message: { readonly outcome: Outcome }) => Promise<PostResult>;
  readonly log: Pick<Logger, 'warn'>;
}

/** How long the reply to a person waits for the posts. */
const maxWaitMs = 2_000;

const notTold = 'a channel could not be told that its watches are silenced';

export function createTellChannels({ announce, log }: TellChannelsDependencies): TellChannels {
  async function tell(channelRef: ChannelRef, outcome: Outcome): Promise<void> {
    try {
      const posted = await announce(channelRef, { outcome });
      if (posted.kind !== 'posted') log.warn({ ...channelRef, why: posted.kind }, notTold);
    } catch (error) {
      log.warn({ ...channelRef, err: error }, notTold);
    }
  }

  return async (teamId, channels, outcome) => {
    const told = [...new Set(channels)].map((channel) => tell({ teamId, channel }, outcome));
    await withTimeout(Promise.all(told), maxWaitMs, () => []);
  };
}
