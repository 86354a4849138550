import type { Logger } from 'pino';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Catalogue, DisplayStyle } from '../operations/define/operation.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { createHeldMessages, type HoldIfQuiet } from '../personal/held-messages.ts';
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

/** Creates the personal settings, and the direct messages that depend on them. */
export function createPersonal(
  { db, jobs, runs }: Infrastructure,
  slackServices: SlackServices,
  { catalogue, runMessages }: Later,
  log: Logger,
) {
  const { clients, patientClients, reportPublisher } = slackServices;
  const store = createSettingsStore(db);
  const findSlackTimeZone = createTimeZones(clients, log);
  const findTimeZone = async (actor: Actor) =>
    (await store.find(actor)).zone ?? (await findSlackTimeZone(actor));
  const holdIfQuiet = createHeldMessages({
    db,
    jobs,
    store,
    findTimeZone,
    deliver: async (...message) => void (await reportPublisher.sendDirectMessage(...message)),
    log,
  });
  return {
    runNotices: createRunNotices({
      jobs,
      runs,
      store,
      catalogue,
      findTimeZone,
      publisher: createRunNoticePublisher(patientClients, {
        renderNotice: (run, link) => runMessages().renderNotice(run, link),
      }),
    }),
    slackServices: withQuietHours(slackServices, holdIfQuiet),
    operations: [createSettingsOperation(store, findTimeZone)],
    findTimeZone,
    findDisplayStyle: (actor: Actor): Promise<DisplayStyle> => store.find(actor),
  };
}

/** Delays unrequested direct messages until the person's quiet hours end. */
function withQuietHours(services: SlackServices, holdIfQuiet: HoldIfQuiet) {
  const { reportPublisher, incidentPublisher, schedulePublisher, auditPublisher } = services;
  const sendDirectMessage = async (person: Actor, outcome: Outcome) => {
    return (await holdIfQuiet(person, outcome)) || reportPublisher.sendDirectMessage(person, outcome);
  };
  return {
    ...services,
    holdIfQuiet,
    reportPublisher: { ...reportPublisher, sendDirectMessage },
    incidentPublisher: { ...incidentPublisher, sendDirectMessage },
    schedulePublisher: { ...schedulePublisher, sendDirectMessage },
    auditPublisher: {
      ...auditPublisher,
      async sendDirectMessage(teamId: string, userId: string, outcome: Outcome) {
        if (!(await holdIfQuiet({ teamId, userId }, outcome)))
          await auditPublisher.sendDirectMessage(teamId, userId, outcome);
      },
    },
  };
}

/** The Slack services, whose unrequested direct messages wait for the end of a person's quiet hours. */
export type QuietSlackServices = ReturnType<typeof withQuietHours>;
