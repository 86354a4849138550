import { expect } from 'vitest';
import { z } from 'zod';
import type { SlackMessage } from '../../stack.ts';
import type { StackFixture } from '../stack-fixture.ts';
import type { OperationCase } from './operation-case.ts';
import { visibleText } from './visible-text.ts';

/** How the secret of a case was shown. */
export type SecretResult = 'no secret' | 'shown once';

/**
 * Expects the secrets in the service's response to appear only behind Show Once, only once, and
 * only to the requester.
 */
export async function expectSecret(
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
  expectAbsent(stage.log(), secrets, 'the log');
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
