import type { Logger } from 'pino';
import type { AskRules } from '../asks/ask.ts';
import { createAskMessages } from '../asks/ask-messages.ts';
import { createAskOperations } from '../asks/ask-operations.ts';
import { createAsks, finishWithinMs } from '../asks/asks.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { auditChainSecret, createAuditChain } from '../audit/chain/audit-chain.ts';
import { createFileStream } from '../audit/chain/audit-streams.ts';
import { createApprovalOperations, createDropRuleRules } from '../auth/approval-rules/approval-operations.ts';
import {
  createApprovalRuleFinder,
  createReasonRuleFinder,
} from '../auth/approval-rules/approval-rule-finder.ts';
import { createApprovalRuleStore } from '../auth/approval-rules/approval-rule-store.ts';
import { createRevealApprovalCheck, revealRules } from '../auth/approval-rules/check-reveal-approval.ts';
import { createAuthorizer } from '../auth/authorizer.ts';
import { createCreatorCheck } from '../auth/creator-standing.ts';
import { createAccessOperations } from '../auth/grants/access-operations.ts';
import { createAccessAskRules, createAskAccessOperation } from '../auth/grants/ask-access.ts';
import { lengthArgument, patternsArgument } from '../auth/grants/grant-arguments.ts';
import { createGrantStore } from '../auth/grants/grant-store.ts';
import { createRevokeAdminRules } from '../auth/grants/revoke-admin.ts';
import { createRecipients } from '../auth/recipients.ts';
import type { AppSettings } from '../config.ts';
import { loadInstanceSecret } from '../db/encryption/instance-secret.ts';
import { fingerprintKey } from '../hosting/quota/rate-limiter.ts';
import { postIntro } from '../monitoring/shared/channel-publisher.ts';
import type { Runner } from '../runs/runner.ts';
import { createTeamLabels } from '../runs/team-labels.ts';
import { createExportDelivery } from '../slack/messages/publishers/export-delivery.ts';
import { createAliasOperations } from '../workspaces/aliases/alias-operations.ts';
import { createVpsAliasStore } from '../workspaces/aliases/vps-alias-store.ts';
import { createApiKeyManager } from '../workspaces/api-key/api-key-manager.ts';
import { createApiKeyOperations } from '../workspaces/api-key/api-key-operations.ts';
import { createKeyReminders } from '../workspaces/api-key/key-reminders.ts';
import { createKeyVerifier } from '../workspaces/api-key/key-verifier.ts';
import { createWelcomeMessages } from '../workspaces/api-key/welcome-messages.ts';
import { createDataRetention } from '../workspaces/erasure/data-retention.ts';
import { createServiceLearner } from '../workspaces/service-profile/service-learner.ts';
import { createServiceOperations } from '../workspaces/service-profile/service-operations.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';

export async function createWorkspaceServices(
  {
    db,
    rowReader,
    vault,
    keys,
    installations,
    runs,
    transport,
    rateLimiter,
    hosting,
    serviceProfileStore,
    jobs,
    outbox,
    askStore,
  }: Infrastructure,
  { clients, directory, channelPublisher }: SlackServices,
  {
    hosting: settings,
    auditRetentionDays: retentionDays,
    uninstallGraceDays: graceDays,
    auditStreamFile,
  }: AppSettings,
  {
    runner,
    handleApprovedSchedule,
  }: {
    readonly runner: () => Pick<Runner, 'approve' | 'decline'>;
    readonly handleApprovedSchedule: AskRules['carryOut'];
  },
  log: Logger,
) {
  const { now } = jobs.clock;
  const vpsAliases = createVpsAliasStore(db);
  const labelVpsFor = createTeamLabels({
    readFor: (teamId) => (endpoint, input, options) =>
      hosting(teamId).call(endpoint, input, { lane: 'background', caller: 'activity log', ...options }),
    listVpsAliases: vpsAliases.byVps,
  });
  const grantStore = createGrantStore(db, rowReader, now);
  const authorizer = createAuthorizer({ store: grantStore, directory });
  const [fingerprintSecret, chainSecret] = await Promise.all([
    loadInstanceSecret(db, vault, 'key-fingerprint'),
    loadInstanceSecret(db, vault, auditChainSecret),
  ]);
  const apiKeys = createApiKeyManager({
    keys,
    installations,
    runs,
    resolveAccess: authorizer.resolveAccess,
    verifyKey: createKeyVerifier({ settings, transport, rateLimiter, now }),
    fingerprint: (apiKey) => fingerprintKey(fingerprintSecret, apiKey),
    onConnected: createServiceLearner({ store: serviceProfileStore, hosting, log, now }),
    now,
  });
  const auditLog = createAuditLog({
    db,
    rowReader,
    jobs,
    runs,
    outbox,
    postIntro: (actor, channel, text) => postIntro(channelPublisher, actor, channel, text),
    deliverExport: createExportDelivery(clients),
    findDisplayName: directory.findDisplayName,
    labelVpsFor,
    chain: createAuditChain(chainSecret),
    stream: auditStreamFile === undefined ? undefined : createFileStream(auditStreamFile),
    retentionDays,
    log,
  });
  const listAdmins = (teamId: string) => authorizer.listPeopleWith(teamId, { right: 'admin', vps: [] });
  jobs.definePeriodic(createKeyReminders({ keys, outbox, listAdmins }));
  const approvalRuleStore = createApprovalRuleStore(db);
  const recipients = createRecipients(directory);
  const asks = createAsks({
    store: askStore,
    findPeopleWith: authorizer.findPeopleWith,
    resolveAccess: authorizer.resolveAccess,
    messages: createAskMessages(outbox, directory.listGroupMembers),
    runs,
    transact: outbox.transact,
    runner,
    kinds: {
      access: createAccessAskRules(grantStore, directory),
      drop_rule: createDropRuleRules(approvalRuleStore),
      revoke_admin: createRevokeAdminRules(grantStore),
      reveal: revealRules,
      schedule: { operation: 'schedule', needsAskersAccess: true, carryOut: handleApprovedSchedule },
    },
    now,
    log,
  });
  jobs.definePeriodic({ name: 'overdue-decisions', intervalMs: finishWithinMs, run: asks.finishOverdue });
  return {
    authorizer,
    findCreatorStanding: createCreatorCheck(authorizer),
    listAdmins,
    labelVpsFor,
    grantStore,
    askOperations: createAskOperations({
      asks,
      narrowing: {
        vps: {
          ...patternsArgument(''),
          hint: 'Names, or patterns of VPS names with *. Default: all VPS in the request.',
        },
        for: { ...lengthArgument, hint: 'Such as 8h or 7d. Default: as requested.' },
      },
    }),
    apiKeys,
    planWelcome: createWelcomeMessages({ jobs, keys, outbox, listAdmins }),
    auditLog,
    vpsAliases,
    dataRetention: createDataRetention({ db, installations, graceDays, now, log }),
    findApprovalRoute: createApprovalRuleFinder(approvalRuleStore),
    isReasonRequired: createReasonRuleFinder(approvalRuleStore),
    asks,
    checkRevealApproval: createRevealApprovalCheck(approvalRuleStore, asks, authorizer.resolveAccess),
    catalogueGroups: [
      {
        heading: 'Team',
        operations: [
          ...createApiKeyOperations(apiKeys),
          ...createAliasOperations(vpsAliases, now),
          ...auditLog.operations,
          ...createServiceOperations({
            store: serviceProfileStore,
            fileMappings: settings.profile,
            now,
          }),
        ],
      },
      {
        heading: 'Rights',
        operations: [
          ...createAccessOperations({
            store: grantStore,
            authorizer,
            directory,
            recipients,
            approvalRules: approvalRuleStore,
            asks,
            now,
          }),
          createAskAccessOperation({ asks, store: askStore, authorizer, runs, now }),
        ],
      },
      {
        heading: 'Approvals and reasons',
        operations: [
          ...createApprovalOperations({
            store: approvalRuleStore,
            recipients,
            findChannelLimit: grantStore.findChannelLimit,
            asks,
            now,
          }),
        ],
      },
    ],
  };
}
