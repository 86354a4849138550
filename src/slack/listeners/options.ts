import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList, type VpsReading } from '../../hosting/readings.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { fleetAgeMs } from '../../operations/vps/known.ts';
import { actionIds } from '../actions.ts';
import { limits } from '../render/limits.ts';
import { plain } from '../render/text.ts';
import { stateText } from '../render/value.ts';
import type { ListenerParts } from './parts.ts';

/** Slack waits 3 s for options. */
const answerWithinMs = 2_500;

/** Listens to the selects of VPS, and fills them with what matches the typed text. */
export function listenToOptions(app: App, { hosting }: ListenerParts): void {
  app.options(actionIds.vps, async ({ ack, options: { value: typed }, context: { teamId }, logger }) => {
    if (teamId === undefined) return ack({ options: [] });
    try {
      const answer = hosting(teamId).call(listVps, {}, { lane: 'people', maxAgeMs: fleetAgeMs });
      const { vps } = readVpsList(await Promise.race([answer, tooLate()]));
      const wanted = typed.trim().toLowerCase();
      const matching = vps.filter((candidate) => searchText(candidate).includes(wanted));
      await ack({
        options: matching
          .filter(({ name }) => name.length <= limits.optionChars)
          .slice(0, limits.options)
          .map(({ name, state }) => ({
            text: plain(state ? `${name}  ${stateText(state)}` : name, limits.optionChars),
            value: name,
          })),
      });
    } catch (error) {
      // A select has no place to say why; the form itself will when it is sent.
      logger.warn('a select of VPS could not be filled', error instanceof Error ? error.message : error);
      await ack({ options: [] });
    }
  });
}

/** Gives up in time; what the service answers later fills the next request. */
async function tooLate(): Promise<never> {
  await delay(answerWithinMs, undefined, { ref: false });
  throw new Error('the hosting service took too long');
}

/** What a VPS can be found by: its name, and the short text of its fields that are no secrets. */
function searchText({ name, record }: VpsReading): string {
  const texts = Object.entries(record).flatMap(([field, value]) =>
    typeof value === 'string' && !looksSecret(field) ? [value] : [],
  );
  return [name, ...texts].join(' ').toLowerCase();
}
