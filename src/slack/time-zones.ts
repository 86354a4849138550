import type { Logger } from 'pino';
import type { Asker } from '../operations/runs/run.ts';
import type { SlackClients } from './clients.ts';

/** How long a person's zone is kept, in ms: people travel, but not by the minute. */
const keptMs = 60 * 60_000;

/** Creates what gives people's time zones, from their Slack profiles; UTC where one is not to be had. */
export function createTimeZones(
  clients: SlackClients,
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (asker: Asker) => Promise<string> {
  const kept = new Map<string, { zone: string; untilMs: number }>();

  return async ({ teamId, userId }) => {
    const key = `${teamId}/${userId}`;
    const known = kept.get(key);
    if (known && known.untilMs > now()) return known.zone;
    try {
      const client = await clients(teamId);
      const zone = (await client.users.info({ user: userId })).user?.tz ?? 'UTC';
      kept.set(key, { zone, untilMs: now() + keptMs });
      return zone;
    } catch (error) {
      log.warn({ err: error }, "a person's time zone could not be read");
      return 'UTC';
    }
  };
}
