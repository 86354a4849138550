import { beforeEach } from 'vitest';
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
import { createRevokeHandler } from '../../src/auth/grants/revoke-admin.ts';
import {
  createReasonOperations,
  createReasonRuleStore,
  type ReasonRuleStore,
} from '../../src/auth/reason-rule.ts';
import { createRecipients } from '../../src/auth/recipients.ts';
import type { PendingAct } from '../../src/auth/second-person/pending-act.ts';
import { createPendingActStore } from '../../src/auth/second-person/pending-act-store.ts';
import { createSecondPerson, type SecondPerson } from '../../src/auth/second-person/second-person.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { FieldProblem } from '../../src/operations/define/arguments/raw-input.ts';
import type { RedactedOutcome } from '../../src/operations/define/outcome.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { type RunnerFixture, useRunnerFixture } from '../runs/runner-fixture.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

export const [alice, bob] = ['U0ALICE', 'U0BOB'];

export interface AuthOperations {
  /** A runner with the operations on rights, approvals and reasons. */
  readonly runner: RunnerFixture;
  readonly grants: GrantStore;
  readonly approvalRules: ApprovalRuleStore;
  readonly reasonRules: ReasonRuleStore;
  readonly secondPerson: SecondPerson;
  /** The acts that a second person was asked to approve. */
  readonly asked: readonly PendingAct[];
  /** Runs a command in the channel C0OPS of team T1, a millisecond later. By default, as an owner. */
  type(command: string, userId?: string): Promise<RedactedOutcome>;
  /** The same for a command that doesn't succeed. Returns the message. */
  typeRefused(command: string, userId?: string): Promise<string>;
  /** Returns the problems that a form with the values of this command shows at its fields. */
  validateForm(command: string, userId?: string): Promise<readonly FieldProblem[]>;
}

/** Registers operations on rights that are created for each test, in a workspace with these members. */
export function useAuthOperations(
  members: Parameters<typeof createMemberDirectory>[0] = { admins: [alice] },
): AuthOperations {
  const runner = useRunnerFixture();
  const directory = createMemberDirectory(members);
  const now = () => runner.nowMs;
  let requests = 0;
  let asked: PendingAct[] = [];
  beforeEach(() => {
    asked = [];
  });

  function createServices() {
    const { db } = runner.database;
    const grants = createGrantStore(db);
    const approvalRules = createApprovalRuleStore(db);
    const authorizer = createAuthorizer({ store: grants, directory });
    const secondPerson = createSecondPerson({
      store: createPendingActStore(db),
      authorizer,
      cards: {
        async send(act) {
          asked.push(act);
          return [{ channel: 'D1', ts: '1.2' }];
        },
        showDecision: async () => undefined,
      },
      runs: runner.runs,
      handlers: {
        drop_rule: async ({ actor, subject }) => void (await approvalRules.remove(actor.teamId, subject)),
        revoke_admin: createRevokeHandler(grants),
        reveal: async () => undefined,
        schedule: async () => undefined,
      },
      now,
    });
    return { grants, approvalRules, reasonRules: createReasonRuleStore(db), authorizer, secondPerson };
  }

  function createRunner() {
    const { grants, approvalRules, reasonRules, authorizer, secondPerson } = createServices();
    const accessRequests = createAccessRequests({
      store: createAccessRequestStore(runner.database.db),
      authorizer,
      cards: {
        send: async () => ({ channel: 'D1', ts: '1.2' }),
        edit: async () => [{ channel: 'D1', ts: '1.2' }],
        notify: async () => undefined,
      },
      runs: runner.runs,
      now,
    });
    const catalogue = runner.withOperations(
      ...createAccessOperations({
        store: grants,
        authorizer,
        directory,
        approvalRules,
        secondPerson,
        now,
      }),
      ...createApprovalOperations({
        store: approvalRules,
        recipients: createRecipients(directory),
        secondPerson,
        findReasonRule: reasonRules.find,
        now,
      }),
      ...createReasonOperations(reasonRules, now),
      accessRequests.operation,
    );
    return { catalogue, ...runner.createRunner({ catalogue, resolveAccess: authorizer.resolveAccess }) };
  }

  function prepare(command: string, userId: string) {
    const { catalogue, request, formQueries } = createRunner();
    const typed = parseCommand(command, catalogue);
    if (!('operation' in typed) || !typed.operation) throw new Error(`${command} is no command`);
    const { operation, raw = {} } = typed;
    const invocation = { actor: { teamId: 'T1', userId }, origin: { channel: 'C0OPS' } };
    return { request, formQueries, operation, parsed: parseInput(operation, raw), invocation };
  }

  function request(command: string, userId: string) {
    const { request: send, operation, parsed, invocation } = prepare(command, userId);
    requests += 1;
    runner.nowMs += 1;
    return send({ requestKey: `typed-${requests}`, operation, parsed, ...invocation });
  }

  return {
    runner,
    get grants() {
      return createServices().grants;
    },
    get approvalRules() {
      return createServices().approvalRules;
    },
    get reasonRules() {
      return createServices().reasonRules;
    },
    get secondPerson() {
      return createServices().secondPerson;
    },
    get asked() {
      return asked;
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
    async validateForm(command, userId = alice) {
      const { formQueries, operation, parsed, invocation } = prepare(command, userId);
      if (parsed.kind !== 'valid') throw new Error(`${command}: ${JSON.stringify(parsed.problems)}`);
      return formQueries.validate(invocation, operation, parsed);
    },
  };
}
