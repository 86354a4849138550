import type { Logger } from 'pino';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import { createRunNotices } from '../personal/run-notices.ts';
import { createSettingsOperation } from '../personal/settings-operation.ts';
import { createSettingsStore } from '../personal/settings-store.ts';
import { createTimeZones } from '../slack/client/time-zones.ts';
import { createRunNoticePublisher } from '../slack/messages/publishers/run-notice-publisher.ts';
import type { RunMessageRenderer } from '../slack/messages/run-message-renderer.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';

/** Parts that are created later, because they contain the operations created here. */
interface Later {
  readonly catalogue: () => Catalogue;
  readonly runMessages: () => RunMessageRenderer;
}

/** Creates the personal settings, and the messages that depend on them. */
export function createPersonal(
  { db, jobs, runs }: Infrastructure,
  { clients, patientClients }: SlackServices,
  { catalogue, runMessages }: Later,
  log: Logger,
) {
  const store = createSettingsStore(db);
  const findSlackTimeZone = createTimeZones(clients, log);
  const findTimeZone = async (actor: Actor) =>
    (await store.find(actor)).zone ?? (await findSlackTimeZone(actor));
  return {
    runNotices: createRunNotices({
      jobs,
      runs,
      store,
      catalogue,
      publisher: createRunNoticePublisher(patientClients, {
        renderNotice: (run, link) => runMessages().renderNotice(run, link),
      }),
    }),
    operations: [createSettingsOperation(store, findTimeZone)],
    findTimeZone,
  };
}
