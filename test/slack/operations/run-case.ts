import { expect } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { isPublicByDefault } from '../../../src/operations/define/inspect-operation.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { actionIds } from '../../../src/slack/blocks/elements/action-ids.ts';
import { parseStepValue } from '../../../src/slack/blocks/elements/buttons.ts';
import type { SlackMessage } from '../../stack.ts';
import { findBareVpsNames } from '../bare-vps-names.ts';
import { matches, type StackFixture } from '../stack-fixture.ts';
import { confirm } from './confirm.ts';
import { expectSecret, type SecretResult } from './expect-secret.ts';
import { fillInForm } from './fill-in-form.ts';
import type { ExpectedCall, OperationCase } from './operation-case.ts';
import { expectSpokenTargets } from './spoken-targets.ts';
import { visibleText } from './visible-text.ts';

const catalogue = hostingOperations();

/** The ways in which a person can ask for an operation. */
export type WayToAsk = 'command' | 'form' | 'mention';

/** Runs a case on a service in its first state, and checks everything that the case expects. */
export async function runCase(
  stage: StackFixture,
  one: OperationCase,
  way: WayToAsk = 'command',
): Promise<SecretResult> {
  const { slack, service } = stage;
  await stage.startAnew();
  // Slack accepts one message a second for a channel.
  await slack.act('clock', { advance_ms: 5_000 });
  // Slash commands don't work in threads, but mentions do.
  const threadTs = way === 'mention' ? (await postThreadRoot(stage)).ts : undefined;
  const baseline = {
    callCount: (await service.calls()).length,
    ...(threadTs && { threadTs }),
  };
  if (threadTs) await slack.mention(`@Rackhand ${one.command}`, { thread_ts: threadTs });
  else if (way === 'command') await slack.slash(one.command);
  else {
    await slack.slash(one.form?.openingCommand ?? one.operation);
    await fillInForm(stage, one.form?.values ?? {});
  }
  return finishRun(stage, one, baseline);
}

async function postThreadRoot({ slack }: StackFixture): Promise<SlackMessage> {
  const text = 'Shall we?';
  await slack.act('message', { user: 'U0BOB', channel: 'C0OPS', text });
  return slack.message(text);
}

interface Baseline {
  /** How many calls were made before the run. */
  readonly callCount: number;
  readonly threadTs?: string;
}

/** Finishes a run. Checks which calls were made, and what the requester and others see. */
async function finishRun(
  stage: StackFixture,
  one: OperationCase,
  { callCount, threadTs }: Baseline,
): Promise<SecretResult> {
  if (one.confirmation !== undefined && one.confirmation !== false) {
    await confirm(stage, one, { callCount, ...(threadTs && { threadTs }) });
  }
  const result = await waitForMessage(stage, one.expectedTexts);
  await expectCalls(stage, one.calls, callCount);
  await expectAudience(stage, findOperation(one), result, threadTs !== undefined);
  expectSteps(result);
  expectSpokenTargets(result);
  expect(findBareVpsNames(result)).toEqual([]);
  // The message about a change mentions its requester, but nobody else.
  expect(result.pings.filter((user) => user !== 'U0ALICE')).toEqual([]);
  expect(result.thread_ts).toBe(threadTs);
  expect(await listRejections(stage)).toEqual([]);
  return one.hasSecret ? expectSecret(stage, one, result) : 'no secret';
}

/** Waits for one message of the app since the latest act of a person that contains all these texts. */
async function waitForMessage(
  { slack }: StackFixture,
  sees: OperationCase['expectedTexts'],
): Promise<SlackMessage> {
  return slack.untilSeen(async () => {
    const messages = await slack.newMessages();
    const read = messages.map((message) => ({
      message,
      words: `${message.text}\n${visibleText(message.blocks)}`,
    }));
    const found = read.findLast(({ words }) =>
      sees.every((text) => (typeof text === 'string' ? words.includes(text) : text.test(words))),
    );
    if (found) return found.message;
    throw new Error(
      `no message says ${sees.join(', ')}; there are:\n${read.map(({ words }) => words).join('\n—\n')}`,
    );
  });
}

/** Expects exactly these changing calls, in this order. Other calls can only be reads that prepare them. */
async function expectCalls(
  stage: StackFixture,
  expected: readonly ExpectedCall[],
  callCount: number,
): Promise<void> {
  const calls = (await stage.service.calls()).slice(callCount);
  const changing = calls.filter(({ method }) => method !== 'GET');
  const changes = expected.filter(({ method }) => method !== 'GET');
  expect(changing.map(({ method, path }) => `${method} ${path}`)).toHaveLength(changes.length);
  for (const [index, change] of changes.entries()) {
    const call = changing[index];
    expect(call).toMatchObject({ method: change.method, status: 200 });
    expect(call?.path).toSatisfy((path: string) => matches(path, change.path));
    expect(call?.body).toEqual(change.body ?? null);
  }
  for (const { method, path, query } of expected.filter((call) => call.method === 'GET')) {
    const call = calls.find((one) => one.method === method && matches(one.path, path));
    expect(call, `a call of ${path}`).toMatchObject({ status: 200, ...(query && { query }) });
  }
}

/**
 * Expects that everyone sees a change, and that only the requester sees a reply unless it is
 * public by default or a read was asked for by a mention.
 */
async function expectAudience(
  { slack }: StackFixture,
  operation: Operation,
  result: SlackMessage,
  isMention: boolean,
): Promise<void> {
  const isForAll =
    operation.kind === 'change' || isPublicByDefault(operation) || (isMention && operation.kind === 'read');
  expect(result.ephemeral).toBe(!isForAll);
  const others = await slack.messages('C0OPS', 'U0BOB');
  expect(others.some(({ ts }) => ts === result.ts)).toBe(isForAll);
}

/** Expects that each button for a next step names an operation and has valid input. */
function expectSteps({ blocks }: SlackMessage): void {
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  for (const { action_id = '', value = '' } of buttons) {
    if (!actionIds.step.test(action_id)) continue;
    const { operation, input } = parseStepValue(value);
    const found = catalogue.find(operation);
    if (!found) throw new Error(`a button leads to ${operation}, which is no operation`);
    const parsed = parseInput(found, input);
    expect(
      parsed.kind === 'valid' || parsed.isIncomplete,
      `the input of a button that leads to ${operation}`,
    ).toBe(true);
  }
}

/** Lists the app's requests that Slack rejected. */
async function listRejections(stage: StackFixture): Promise<readonly unknown[]> {
  return (await stage.traffic()).filter(({ refused }) => refused !== undefined);
}

function findOperation({ operation }: OperationCase): Operation {
  const found = catalogue.find(operation);
  if (!found) throw new Error(`there is no operation ${operation}`);
  return found;
}
