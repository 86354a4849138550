import { createAccessRequestStore } from '../../src/auth/access-requests/access-request-store.ts';
import { createAccessRequests } from '../../src/auth/access-requests/access-requests.ts';
import { createApprovalOperations } from '../../src/auth/approval-rules/approval-operations.ts';
import {
  type ApprovalRuleStore,
  createApprovalRuleStore,
} from '../../src/auth/approval-rules/approval-rule-store.ts';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createAccessOperations } from '../../src/auth/grants/access-operations.ts';
import { createGrantStore, type GrantStore } from '../../src/auth/grants/grant-store.ts';
import { createReasonOperations } from '../../src/auth/reason-rule/reason-operations.ts';
import { createReasonRuleStore, type ReasonRuleStore } from '../../src/auth/reason-rule/reason-rule-store.ts';
import { createRecipients } from '../../src/auth/recipients.ts';
import { createPendingActStore } from '../../src/auth/second-person/pending-act-store.ts';
import { createSecondPerson } from '../../src/auth/second-person/second-person.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { RedactedOutcome } from '../../src/operations/define/outcome.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { type RunnerFixture, useRunnerFixture } from '../runs/runner-fixture.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

export const [alice, bob] = ['U0ALICE', 'U0BOB'];

export interface AuthOperations {
  /** A runner with the operations on rights, approvals and reasons, and their stores. */
  readonly runner: RunnerFixture;
  readonly grants: GrantStore;
  readonly approvalRules: ApprovalRuleStore;
  readonly reasonRules: ReasonRuleStore;
  /** Runs a command in the channel C0OPS of team T1, a millisecond later. By default, as an owner. */
  type(command: string, userId?: string): Promise<RedactedOutcome>;
  /** The same for a command that doesn't succeed. Returns the message. */
  typeRefused(command: string, userId?: string): Promise<string>;
}

/** Registers operations on rights that are created for each test, in a workspace with these members. */
export function useAuthOperations(
  members: Parameters<typeof createMemberDirectory>[0] = { admins: [alice] },
): AuthOperations {
  const runner = useRunnerFixture();
  const directory = createMemberDirectory(members);
  const now = () => runner.nowMs;
  let requests = 0;

  const stores = () => ({
    store: createGrantStore(runner.database.db),
    approvalRules: createApprovalRuleStore(runner.database.db),
    reasonRules: createReasonRuleStore(runner.database.db),
  });

  function createRunner() {
    const { store, approvalRules, reasonRules } = stores();
    const authorizer = createAuthorizer({ store, directory });
    const card = async () => [{ channel: 'D1', ts: '1.2' }];
    const secondPerson = createSecondPerson({
      store: createPendingActStore(runner.database.db),
      authorizer,
      cards: { send: card, showDecision: async () => undefined },
      runs: runner.runs,
      handlers: {
        drop_rule: async () => undefined,
        revoke_admin: async () => undefined,
        reveal: async () => undefined,
        schedule: async () => undefined,
      },
      now,
    });
    const accessRequests = createAccessRequests({
      store: createAccessRequestStore(runner.database.db),
      authorizer,
      cards: {
        send: async () => ({ channel: 'D1', ts: '1.2' }),
        edit: card,
        showDecision: async () => undefined,
      },
      runs: runner.runs,
      now,
    });
    const recipients = createRecipients(directory);
    const catalogue = runner.withOperations(
      ...createAccessOperations({ store, authorizer, directory, approvalRules, secondPerson, now }),
      ...createApprovalOperations({ store: approvalRules, recipients, secondPerson, now }),
      ...createReasonOperations(reasonRules, now),
      accessRequests.operation,
    );
    return { catalogue, ...runner.createRunner({ catalogue, resolveAccess: authorizer.resolveAccess }) };
  }

  async function request(command: string, userId: string) {
    const { catalogue, request: send } = createRunner();
    const parsed = parseCommand(command, catalogue);
    if (!('operation' in parsed) || !parsed.operation) throw new Error(`${command} is no command`);
    const { operation, raw = {} } = parsed;
    requests += 1;
    runner.nowMs += 1;
    return send({
      requestKey: `typed-${requests}`,
      operation,
      parsed: parseInput(operation, raw),
      actor: { teamId: 'T1', userId },
      origin: { channel: 'C0OPS' },
    });
  }

  return {
    runner,
    get grants() {
      return stores().store;
    },
    get approvalRules() {
      return stores().approvalRules;
    },
    get reasonRules() {
      return stores().reasonRules;
    },
    async type(command, userId = alice) {
      const reply = await request(command, userId);
      if (reply.kind !== 'outcome') throw new Error(`${command}: ${JSON.stringify(reply)}`);
      return reply.outcome;
    },
    async typeRefused(command, userId = alice) {
      const reply = await request(command, userId);
      if (reply.kind !== 'problem') throw new Error(`${command}: ${JSON.stringify(reply)}`);
      return reply.problem.message;
    },
  };
}
