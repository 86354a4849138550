import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import { fingerprintKey } from '../hosting/quota/quota.ts';
import { createRequestDesk } from '../slack/access/request-desk.ts';
import { createHandOver } from '../slack/record/hand-over.ts';
import { createRemind } from '../slack/remind.ts';
import { createApprovalOperations } from '../workspaces/approvals/operations.ts';
import { createApprovalRuleStore, createApprovalRules } from '../workspaces/approvals/rules.ts';
import { createConnection } from '../workspaces/connection/connection.ts';
import { createKeyTrial } from '../workspaces/connection/key-trial.ts';
import { createConnectionOperations } from '../workspaces/connection/operations.ts';
import { createKeyReminders } from '../workspaces/connection/reminders.ts';
import { ownSecret } from '../workspaces/own-secret.ts';
import { createRecord } from '../workspaces/record/record.ts';
import { createRightsOperations } from '../workspaces/rights/operations.ts';
import { createRequestStore } from '../workspaces/rights/request-store.ts';
import { createRequests } from '../workspaces/rights/requests.ts';
import { createRights } from '../workspaces/rights/rights.ts';
import { createRightsStore } from '../workspaces/rights/rights-store.ts';
import type { Ground } from './ground.ts';
import type { Speakers } from './speakers.ts';

/** Creates what a team is to Rackhand: who may do what, its key, what wants a second person, and the record of it all. */
export async function createTeam(
  { db, vault, keys, installations, runs, transport, quota }: Ground,
  { clients, directory, record: recordVoice }: Speakers,
  { hosting: settings, recordRetentionDays: retentionDays }: AppSettings,
  log: Logger,
) {
  const rightsStore = createRightsStore(db);
  const rights = createRights({ store: rightsStore, directory });
  const requests = createRequests({
    store: createRequestStore(db),
    rights,
    desk: createRequestDesk(clients, log),
    runs,
  });
  const fingerprintSecret = await ownSecret(db, vault, 'key-fingerprint');
  const connection = createConnection({
    keys,
    installations,
    runs,
    access: rights.access,
    tryKey: createKeyTrial({ settings, transport, quota, now: Date.now }),
    fingerprint: (apiKey) => fingerprintKey(fingerprintSecret, apiKey),
  });
  const record = createRecord({
    db,
    runs,
    voice: recordVoice,
    handOver: createHandOver(clients),
    nameOf: directory.nameOf,
    retentionDays,
    log,
  });
  const administratorsOf = (teamId: string) => rights.peopleWith(teamId, { right: 'administer', vps: [] });
  const ruleStore = createApprovalRuleStore(db);
  return {
    rights,
    rightsStore,
    requests,
    connection,
    record,
    reminders: createKeyReminders({ keys, remind: createRemind(clients, administratorsOf), log }),
    approvalRules: createApprovalRules(ruleStore),
    groups: [
      { heading: 'Team', operations: [...createConnectionOperations(connection), ...record.operations] },
      {
        heading: 'Rights',
        operations: [
          ...createRightsOperations({ store: rightsStore, rights, directory }),
          requests.operation,
        ],
      },
      {
        heading: 'Approvals',
        operations: createApprovalOperations({ store: ruleStore, now: Date.now }),
      },
    ],
  };
}
