import type { Logger } from 'pino';
import type { Actor } from '../../operations/define/access/actor.ts';
import { createTtlCache } from '../../ttl-cache.ts';
import type { SlackClients } from './slack-clients.ts';

/** How long a person's time zone is cached. It rarely changes, for example when they travel. */
const timeZoneTtlMs = 60 * 60_000;

/**
 * Creates the function that returns a person's time zone from their Slack profile, or UTC if the profile
 * can't be read.
 */
export function createTimeZones(
  clients: SlackClients,
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (actor: Actor) => Promise<string> {
  const readTimeZone = createTtlCache({
    read: async ({ teamId, userId }: Actor) => {
      const client = await clients(teamId);
      return (await client.users.info({ user: userId })).user?.tz ?? 'UTC';
    },
    toKey: ({ teamId, userId }) => `${teamId}/${userId}`,
    ttlMs: timeZoneTtlMs,
    now,
  });

  return async (actor) => {
    try {
      return await readTimeZone(actor);
    } catch (error) {
      log.warn({ err: error }, "a person's time zone could not be read");
      return 'UTC';
    }
  };
}
