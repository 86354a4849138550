import { expect } from 'vitest';
import { allOperations } from '../../../src/operations/all.ts';
import { parseInput } from '../../../src/operations/input.ts';
import { isForChannel, type Operation } from '../../../src/operations/operation.ts';
import { actionIds, readStep } from '../../../src/slack/actions.ts';
import { eventually } from '../../eventually.ts';
import type { SlackMessage } from '../../stack.ts';
import type { Case, ExpectedCall } from './case.ts';
import { confirm } from './confirming.ts';
import { fillInForm } from './fill-in.ts';
import { wordsOf } from './reading.ts';
import { expectSecret, type Shown } from './secrecy.ts';
import { matches, type Stage } from './stage.ts';

const catalogue = allOperations();

/** Runs a case by typing it whole. */
export async function driveByCommand(stage: Stage, one: Case): Promise<Shown> {
  await one.before?.(stage);
  const made = (await stage.service.calls()).length;
  await stage.slack.slash(one.typed);
  return seeThrough(stage, one, { made });
}

/** Runs a case by filling in its form. */
export async function driveByForm(stage: Stage, one: Case): Promise<Shown> {
  await one.before?.(stage);
  const made = (await stage.service.calls()).length;
  await stage.slack.slash(one.form?.opening ?? one.operation);
  await fillInForm(stage, one.form?.values ?? {});
  return seeThrough(stage, one, { made });
}

/** Runs a case by mentioning the app in a thread, where slash commands do not work. */
export async function driveByMention(stage: Stage, one: Case): Promise<Shown> {
  await one.before?.(stage);
  const { ts } = await rootMessage(stage);
  const made = (await stage.service.calls()).length;
  await stage.slack.mention(`@Rackhand ${one.typed}`, { thread_ts: ts });
  return seeThrough(stage, one, { made, threadTs: ts });
}

async function rootMessage({ slack }: Stage): Promise<SlackMessage> {
  const text = 'Shall we?';
  await slack.act('message', { user: 'U0BOB', channel: 'C0OPS', text });
  return slack.message(text);
}

interface Since {
  /** Calls that had been made before. */
  readonly made: number;
  readonly threadTs?: string;
}

/** Goes on to the end, and checks the calls that were made, what the asker sees, and what the others do. */
async function seeThrough(stage: Stage, one: Case, { made, threadTs }: Since): Promise<Shown> {
  if (one.asks !== undefined && one.asks !== false) {
    await confirm(stage, one, { made, ...(threadTs && { threadTs }) });
  }
  const told = await messageWith(stage, one.sees);
  await expectCalls(stage, one.calls, made);
  await expectAudience(stage, operationOf(one), told);
  expectSteps(told);
  // A change names whoever asked for it.
  expect(told.pings.filter((user) => user !== 'U0ALICE')).toEqual([]);
  expect(told.thread_ts).toBe(threadTs);
  expect(await refusals(stage)).toEqual([]);
  return one.secret ? expectSecret(stage, one, told) : 'no secret';
}

/** Waits for one message of the app that says all of it. */
async function messageWith({ slack }: Stage, sees: Case['sees']): Promise<SlackMessage> {
  return eventually(async () => {
    const messages = await slack.messages();
    const read = messages.map((message) => ({
      message,
      words: `${message.text}\n${wordsOf(message.blocks)}`,
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

/** What changes something must be just that, and in that order; whatever else is read prepares it. */
async function expectCalls(stage: Stage, expected: readonly ExpectedCall[], made: number): Promise<void> {
  const calls = (await stage.service.calls()).slice(made);
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

/** A change is told to everybody, and an answer to its asker alone unless it is one to be looked at together. */
async function expectAudience({ slack }: Stage, operation: Operation, told: SlackMessage): Promise<void> {
  const isForAll = operation.kind === 'change' || isForChannel(operation);
  expect(told.ephemeral).toBe(!isForAll);
  const others = await slack.messages('C0OPS', 'U0BOB');
  expect(others.some(({ ts }) => ts === told.ts)).toBe(isForAll);
}

/** A button for what comes next must lead somewhere. */
function expectSteps({ blocks }: SlackMessage): void {
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  for (const { action_id = '', value = '' } of buttons) {
    if (!actionIds.step.test(action_id)) continue;
    const { operation, input } = readStep(value);
    const found = catalogue.find(operation);
    if (!found) throw new Error(`a button leads to ${operation}, which is no operation`);
    const parsed = parseInput(found, input);
    expect(parsed.ok || parsed.missing, `the input of a button that leads to ${operation}`).toBe(true);
  }
}

/** Lists what Slack did not take from the app. */
async function refusals(stage: Stage): Promise<readonly unknown[]> {
  return (await stage.traffic()).filter(({ refused }) => refused !== undefined);
}

function operationOf({ operation }: Case): Operation {
  const found = catalogue.find(operation);
  if (!found) throw new Error(`there is no operation ${operation}`);
  return found;
}
