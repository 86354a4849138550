import type { Logger } from 'pino';
import type { Actor } from '../operations/define/access/actor.ts';
import { createSettingsOperation } from '../personal/settings-operation.ts';
import { createTimeZones } from '../slack/client/time-zones.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';

/** Creates the personal settings. */
export function createPersonal(
  { settingsStore: store }: Infrastructure,
  { clients }: SlackServices,
  log: Logger,
) {
  const findSlackTimeZone = createTimeZones(clients, log);
  const findTimeZone = async (actor: Actor) =>
    (await store.find(actor)).zone ?? (await findSlackTimeZone(actor));
  return {
    operations: [createSettingsOperation(store, findTimeZone)],
    findTimeZone,
  };
}
