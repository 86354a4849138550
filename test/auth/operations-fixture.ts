import { beforeEach } from 'vitest';
import type { Ask } from '../../src/asks/ask.ts';
import type { AskMessages } from '../../src/asks/ask-messages.ts';
import { createAskOperations } from '../../src/asks/ask-operations.ts';
import { createAskStore } from '../../src/asks/ask-store.ts';
import { toAskToken } from '../../src/asks/ask-token.ts';
import { type Asks, createAsks } from '../../src/asks/asks.ts';
import {
  createApprovalOperations,
  createDropRuleRules,
} from '../../src/auth/approval-rules/approval-operations.ts';
import {
  type ApprovalRuleStore,
  createApprovalRuleStore,
} from '../../src/auth/approval-rules/approval-rule-store.ts';
import { revealRules } from '../../src/auth/approval-rules/check-reveal-approval.ts';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createAccessOperations } from '../../src/auth/grants/access-operations.ts';
import { createAccessAskRules, createAskAccessOperation } from '../../src/auth/grants/ask-access.ts';
import { lengthArgument, patternsArgument } from '../../src/auth/grants/grant-arguments.ts';
import { createGrantStore, type GrantStore } from '../../src/auth/grants/grant-store.ts';
import { createRevokeAdminRules } from '../../src/auth/grants/revoke-admin.ts';
import { createRecipients } from '../../src/auth/recipients.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { FieldProblem, RawInput } from '../../src/operations/define/arguments/raw-input.ts';
import type { NextStep, RedactedOutcome } from '../../src/operations/define/outcome.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { createUnsentAsks } from '../asks/unsent-asks.ts';
import { type RunnerFixture, useRunnerFixture } from '../runs/runner-fixture.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

export const [alice, bob] = ['U0ALICE', 'U0BOB'];

export interface AuthOperations {
  /** A runner with the operations on rights, approvals and reasons. */
  readonly runner: RunnerFixture;
  readonly grants: GrantStore;
  readonly approvalRules: ApprovalRuleStore;
  readonly asks: Asks;
  /** The requests that were sent. */
  readonly asked: readonly Ask[];
  /** Returns the value of the buttons on the last request's cards. */
  lastToken(): string;
  /** Runs a command in the channel C0OPS of team T1, a millisecond later. By default, as an owner. */
  type(command: string, userId?: string): Promise<RedactedOutcome>;
  /** Presses a button. */
  press(step: NextStep | undefined, userId?: string): Promise<RedactedOutcome>;
  /** Types a command that asks a question, and presses the first button of the answer. */
  confirm(command: string, userId?: string): Promise<RedactedOutcome>;
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
  let asked: Ask[] = [];
  beforeEach(() => {
    asked = [];
  });

  function createServices() {
    const { db } = runner.database;
    const grants = createGrantStore(db, undefined, now);
    const approvalRules = createApprovalRuleStore(db);
    const authorizer = createAuthorizer({ store: grants, directory });
    const unsent = createUnsentAsks(db, directory, now);
    const ask: AskMessages['ask'] = async (one, ...to) => {
      asked.push(one);
      await unsent.messages.ask(one, ...to);
    };
    const asks = createAsks({
      ...unsent,
      messages: { ...unsent.messages, ask },
      findPeopleWith: authorizer.findPeopleWith,
      resolveAccess: authorizer.resolveAccess,
      runs: runner.runs,
      runner: createRunner,
      kinds: {
        access: createAccessAskRules(grants, directory),
        drop_rule: createDropRuleRules(approvalRules),
        revoke_admin: createRevokeAdminRules(grants),
        reveal: revealRules,
        schedule: { operation: 'schedule', needsAskersAccess: true, carryOut: async () => undefined },
      },
      now,
      log: { error: () => undefined },
    });
    return { grants, approvalRules, authorizer, asks };
  }

  function createRunner() {
    const { grants, approvalRules, authorizer, asks } = createServices();
    const catalogue = runner.withOperations(
      ...createAccessOperations({
        store: grants,
        authorizer,
        directory,
        recipients: createRecipients(directory),
        approvalRules,
        asks,
        now,
      }),
      ...createApprovalOperations({
        store: approvalRules,
        recipients: createRecipients(directory),
        findChannelLimit: grants.findChannelLimit,
        asks,
        now,
      }),
      ...createAskOperations({
        asks,
        narrowing: { vps: patternsArgument(''), for: lengthArgument },
      }),
      createAskAccessOperation({
        asks,
        store: createAskStore(runner.database.db),
        authorizer,
        runs: runner.runs,
        now,
      }),
    );
    return { catalogue, ...runner.createRunner({ catalogue, resolveAccess: authorizer.resolveAccess }) };
  }

  function prepare(command: string, userId: string, pressed: RawInput = {}) {
    const { catalogue, request, deliver, formQueries } = createRunner();
    const typed = parseCommand(command, catalogue);
    if (!('operation' in typed) || !typed.operation) throw new Error(`${command} is no command`);
    const { operation } = typed;
    const raw = { ...typed.raw, ...pressed };
    const invocation = { actor: { teamId: 'T1', userId }, origin: { channel: 'C0OPS' } };
    return { request, deliver, formQueries, operation, parsed: parseInput(operation, raw), invocation };
  }

  async function request(command: string, userId: string, pressed?: RawInput) {
    const { request: send, deliver, operation, parsed, invocation } = prepare(command, userId, pressed);
    requests += 1;
    runner.nowMs += 1;
    const reply = await send({ requestKey: `typed-${requests}`, operation, parsed, ...invocation });
    await deliver(reply, async () => undefined);
    return reply;
  }

  async function type(command: string, userId = alice, pressed?: RawInput) {
    const reply = await request(command, userId, pressed);
    if (reply.kind !== 'outcome') throw new Error(`${command}: ${JSON.stringify(reply)}`);
    return reply.outcome;
  }

  const press: AuthOperations['press'] = async (step, userId) => {
    if (!step) throw new Error('there is no such button');
    return type(step.operation, userId, step.input);
  };

  return {
    runner,
    get grants() {
      return createServices().grants;
    },
    get approvalRules() {
      return createServices().approvalRules;
    },
    get asks() {
      return createServices().asks;
    },
    get asked() {
      return asked;
    },
    lastToken() {
      const last = asked.at(-1);
      return last ? toAskToken(last) : '';
    },
    type,
    press,
    async confirm(command, userId = alice) {
      const { isQuestion, next = [] } = await type(command, userId);
      if (!isQuestion) throw new Error(`${command} asks no question`);
      return press(next[0], userId);
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
