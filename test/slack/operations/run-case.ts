import { expect } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { isPublicByDefault } from '../../../src/operations/define/inspect-operation.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { actionIds } from '../../../src/slack/blocks/elements/action-ids.ts';
import { parseStepValue } from '../../../src/slack/blocks/elements/buttons.ts';
import type { ModalView, SlackMessage } from '../../stack.ts';
import { matches, type StackFixture } from '../stack-fixture.ts';
import type { ExpectedCall, FieldInput, OperationCase } from './operation-case.ts';
import { expectSpokenTargets } from './spoken-targets.ts';
import { visibleText } from './visible-text.ts';

/** Fields of blocks that people don't see. */
const invisibleFields = new Set(['value', 'block_id', 'action_id', 'private_metadata', 'type', 'url']);

function* listVisibleTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  // Text to copy stays as the service writes it.
  if ('style' in value && JSON.stringify(value.style).includes('"code":true')) return;
  for (const [field, inner] of Object.entries(value))
    if (!invisibleFields.has(field)) yield* listVisibleTexts(inner);
}

/** Returns the visible texts that show a VPS of the sandbox without its label. */
function findBareVpsNames({ text, blocks }: { text?: string; blocks: unknown }): readonly string[] {
  return [...listVisibleTexts([text ?? '', blocks])].filter((one) => /(?<!\()\bVPS-1\d{4}\b/.test(one));
}

const user = 'U0ALICE';

const option = z.looseObject({ value: z.string(), text: z.looseObject({ text: z.string() }) });

const inputBlock = z.looseObject({
  type: z.literal('input'),
  block_id: z.string(),
  dispatch_action: z.boolean().default(false),
  element: z.looseObject({
    type: z.string(),
    action_id: z.string(),
    options: z.array(option).optional(),
  }),
});

type InputBlock = z.infer<typeof inputBlock>;

/** Fills in the topmost form field by field, as a person does, and submits it. */
async function fillInForm(
  { slack }: Pick<StackFixture, 'slack'>,
  values: Readonly<Record<string, FieldInput>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object') await fillInRows(slack, name, value);
    else await fillInField(slack, await findField(slack, name), value);
  }
  const sent = await slack.submit(await slack.modal(), {});
  expect(sent.errors).toBeUndefined();
  expect(sent.acknowledged).toBe(true);
}

type Slack = StackFixture['slack'];

async function fillInRows(
  slack: Slack,
  name: string,
  rows: readonly Readonly<Record<string, string | boolean>>[],
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (listRowIds(await slack.modal(), name).length <= index) {
      await slack.act('click', { user, view: (await slack.modal()).id, action_id: 'row:add', value: name });
    }
    for (const [field, value] of Object.entries(row)) {
      const id = await slack.untilSeen(async () => {
        const found = listRowIds(await slack.modal(), name)[index];
        if (found === undefined) throw new Error(`${name} has no row ${index + 1}`);
        return found;
      });
      await fillInField(slack, await findField(slack, `${name}.${id}.${field}`), value);
    }
  }
}

/** Lists the IDs of an argument's rows in order. */
function listRowIds({ blocks }: ModalView, name: string): string[] {
  const ids = blocks.flatMap(({ block_id = '' }) =>
    block_id.startsWith(`${name}.`) ? [block_id.split('.')[1] ?? ''] : [],
  );
  return [...new Set(ids)];
}

/**
 * Waits for the field of an argument. A field that depends on another one appears once that one is
 * chosen, and its ID contains a revision.
 */
async function findField(slack: Slack, name: string): Promise<InputBlock> {
  return slack.untilSeen(async () => {
    const { blocks } = await slack.modal();
    const block = blocks.find(({ block_id = '' }) => block_id === name || block_id.startsWith(`${name}@`));
    const parsed = inputBlock.safeParse(block);
    if (parsed.success) return parsed.data;
    const there = blocks.map(({ block_id }) => block_id).join(', ');
    throw new Error(`the form has no field ${name}, but ${there}`);
  });
}

async function fillInField(slack: Slack, field: InputBlock, value: string | boolean): Promise<void> {
  const { block_id, dispatch_action, element } = field;
  const view = await slack.modal();
  const place = { user, view: view.id, block_id, action_id: element.action_id };
  await slack.act('click', { ...place, value: await resolveFieldValue(slack, place, element, value) });
  // Changing a field on which others depend changes the form.
  if (dispatch_action)
    await slack.untilSeen(async () => expect((await slack.modal()).hash).not.toBe(view.hash));
}

async function resolveFieldValue(
  slack: Slack,
  place: Record<string, string>,
  { type, options = [] }: InputBlock['element'],
  value: string | boolean,
): Promise<unknown> {
  if (type === 'checkboxes') return value === true ? options.map((one) => one.value) : [];
  if (type === 'static_select') return findOption(String(value), options);
  if (type !== 'external_select') return value;
  const offered = (await slack.act('suggest', { ...place, text: String(value) })).options ?? [];
  return findOption(String(value), z.array(option).parse(offered));
}

/** Finds an option by its value, or by the beginning of the text that people read. */
function findOption(name: string, options: readonly z.infer<typeof option>[]): string {
  const found =
    options.find(({ value }) => value === name) ?? options.find(({ text }) => text.text.startsWith(name));
  if (found) return found.value;
  throw new Error(
    `${name} is not offered, but ${options.map(({ text }) => text.text).join(', ') || 'nothing'}`,
  );
}

/** How the secret of a case was shown. */
type SecretResult = 'no secret' | 'shown once';

/**
 * Expects the secrets in the service's response to appear only behind Show Once, only once, and
 * only to the requester.
 */
async function expectSecret(
  stage: StackFixture,
  one: OperationCase,
  told: SlackMessage,
): Promise<SecretResult> {
  const { slack } = stage;
  const secrets = await listResponseSecrets(stage, one);
  const { value: id } = told.blocks.flatMap(({ elements = [] }) => elements).find(isShowOnce) ?? {};
  if (id === undefined) throw new Error('there is no button that shows the secret');
  await expectNowhere(stage, secrets);
  const traffic = JSON.stringify(await stage.traffic());
  expectAbsent(traffic, secrets, 'what went between Slack and the app');

  await clickAsAnotherUser(slack, told, id);
  await slack.click(told, 'secret', { value: id });
  await slack.untilSeen(async () => {
    const shown = visibleText((await slack.modal()).blocks);
    for (const secret of secrets) expect(shown).toContain(secret);
  });
  await slack.act('close', { user: 'U0ALICE', view: (await slack.modal()).id });
  await expectNowhere(stage, secrets);
  await slack.untilSeen(async () => {
    const messages = (await slack.messages()).filter(({ ts }) => ts === told.ts);
    expect(messages.some(hasShowOnce)).toBe(false);
  });
  return 'shown once';
}

/** Checks that someone else can't see the secret, and that their attempt doesn't use it up. */
async function clickAsAnotherUser(
  slack: StackFixture['slack'],
  told: SlackMessage,
  id: string,
): Promise<void> {
  const press = slack.click(told, 'secret', { user: 'U0BOB', value: id });
  if (told.ephemeral) return expect(press).rejects.toThrow();
  await press;
  await slack.untilSeen(async () => {
    expect(visibleText((await slack.modal('U0BOB')).blocks)).toContain('Only ');
  });
  // Otherwise the wait of the next case would find this modal.
  await slack.act('close', { user: 'U0BOB', view: (await slack.modal('U0BOB')).id });
}

async function expectNowhere(stage: StackFixture, secrets: readonly string[]): Promise<void> {
  const { slack } = stage;
  const places = ['U0ALICE', 'U0BOB'].flatMap((user) =>
    ['C0OPS', 'C0GENERAL', user].map((channel) => slack.messages(channel, user)),
  );
  expectAbsent(JSON.stringify(await Promise.all(places)), secrets, 'the messages');
  expectAbsent(stage.newLog(), secrets, 'the log');
  expectAbsent(stage.rows(), secrets, 'the database');
}

/** Expects that text doesn't contain a secret, not even with JSON's escapes. */
function expectAbsent(text: string, secrets: readonly string[], place: string): void {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  for (const secret of written) expect(text.includes(secret), `a secret in ${place}`).toBe(false);
}

function hasShowOnce({ blocks }: SlackMessage): boolean {
  return blocks.flatMap(({ elements = [] }) => elements).some(isShowOnce);
}

function isShowOnce({ action_id }: { readonly action_id?: string | undefined }): boolean {
  return action_id === 'secret';
}

async function listResponseSecrets(
  stage: StackFixture,
  { calls }: OperationCase,
): Promise<readonly string[]> {
  const { method = '', path = '' } = calls.at(-1) ?? {};
  const secrets = findSecrets(JSON.parse(await stage.answerTo(method, path)));
  expect(secrets, 'secrets in the answer of the service').not.toEqual([]);
  return secrets;
}

/** Finds the values of fields whose names say that they contain secrets. */
export function findSecrets(value: unknown): string[] {
  const record = z.record(z.string(), z.unknown()).safeParse(value);
  if (!record.success) return Array.isArray(value) ? value.flatMap(findSecrets) : [];
  return Object.entries(record.data).flatMap(([field, inner]) =>
    /pass|secret|token/i.test(field) && typeof inner === 'string' ? [inner] : findSecrets(inner),
  );
}

/**
 * Waits for the confirmation card. Checks that nothing was changed yet and that nobody else was
 * asked, then confirms.
 */
async function confirm(
  stage: StackFixture,
  { confirmation }: OperationCase,
  { callCount, threadTs }: { readonly callCount: number; readonly threadTs?: string },
): Promise<void> {
  const { slack, service } = stage;
  const { card, actionId } = await findConfirmationCard(stage);
  expect(card.ephemeral).toBe(true);
  expectNamedButton(card, actionId);
  expectSpokenTargets(card);
  expect(findBareVpsNames(card)).toEqual([]);
  expect(card.thread_ts).toBe(threadTs);
  const others = await slack.messages('C0OPS', 'U0BOB');
  expect(others.some(({ ts }) => ts === card.ts)).toBe(false);
  const isUnchanged = async () =>
    (await service.calls()).slice(callCount).every(({ method }) => method === 'GET');
  expect(await isUnchanged()).toBe(true);

  await slack.click(card, actionId);
  if (typeof confirmation === 'string') {
    expect(await typeToConfirm(stage, `${confirmation}-not`)).toEqual([expect.any(String)]);
    expect(await isUnchanged()).toBe(true);
    expect(await typeToConfirm(stage, confirmation)).toEqual([]);
  }
  await slack.untilSeen(async () =>
    expect((await slack.messages()).map(({ ts }) => ts)).not.toContain(card.ts),
  );
}

/** Checks that a screen reader says what the button will do, which the card's text says to others. */
function expectNamedButton({ text, blocks }: SlackMessage, actionId: string): void {
  const shown = blocks.flatMap(({ elements = [] }) => elements).find((one) => one.action_id === actionId);
  const spoken = String(shown?.accessibility_label);
  const title = text.replace(/\?$/, '');
  expect(spoken.length).toBeLessThanOrEqual(75);

  expect(spoken).toContain(title.slice(0, 30));
}

async function findConfirmationCard({
  slack,
}: StackFixture): Promise<{ card: SlackMessage; actionId: string }> {
  return slack.untilSeen(async () => {
    const seen = await slack.newMessages();
    for (const card of seen) {
      const ids = card.blocks.flatMap(({ elements = [] }) => elements.map(({ action_id = '' }) => action_id));
      const actionId = ids.find((id) => id.startsWith('confirm'));
      if (actionId !== undefined) return { card, actionId };
    }
    throw new Error(`nothing is asked; there are: ${seen.map(({ text }) => text).join(' | ')}`);
  });
}

/** Types text into the modal's only field. Returns the errors that are shown. */
async function typeToConfirm({ slack }: StackFixture, text: string): Promise<readonly string[]> {
  const view = await slack.modal();
  const block = view.blocks.find(({ element }) => element !== undefined);
  const { block_id = '', element } = block ?? {};
  const value = { type: 'plain_text_input', value: text };
  const answer = await slack.submit(view, { [block_id]: { [element?.action_id ?? '']: value } });
  return Object.values(answer.errors ?? {});
}

const catalogue = hostingOperations();

/** The ways in which a person can ask for an operation. */
type WayToAsk = 'command' | 'form' | 'mention';

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
