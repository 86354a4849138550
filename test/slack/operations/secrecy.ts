import { expect } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../eventually.ts';
import type { SlackMessage } from '../../stack.ts';
import type { Case } from './case.ts';
import { wordsOf } from './reading.ts';
import type { Stage } from './stage.ts';

/** What came of the secret of a case. */
export type Shown = 'no secret' | 'shown once';

/** Expects the secrets of the service's answer nowhere but behind Show Once, and there once, for the asker alone. */
export async function expectSecret(stage: Stage, one: Case, told: SlackMessage): Promise<Shown> {
  const { slack } = stage;
  const secrets = await secretsOfAnswer(stage, one);
  const { value: id } = told.blocks.flatMap(({ elements = [] }) => elements).find(isShowOnce) ?? {};
  if (id === undefined) throw new Error('there is no button that shows the secret');
  await expectNowhere(stage, secrets);
  expectWithout(JSON.stringify(await stage.traffic()), secrets, 'what went between Slack and the app');

  await pressAsSomebodyElse(slack, told, id);
  await slack.click(told, 'secret', { value: id });
  await eventually(async () => {
    const shown = wordsOf((await slack.modal()).blocks);
    for (const secret of secrets) expect(shown).toContain(secret);
  });
  await slack.act('close', { user: 'U0ALICE', view: (await slack.modal()).id });
  await expectNowhere(stage, secrets);
  await expect.poll(async () => !(await slack.messages()).some(hasShowOnce)).toBe(true);
  return 'shown once';
}

/** Somebody else sees no such button, or is shown nothing by it, and takes nothing away. */
async function pressAsSomebodyElse(slack: Stage['slack'], told: SlackMessage, id: string): Promise<void> {
  const press = slack.click(told, 'secret', { user: 'U0BOB', value: id });
  if (told.ephemeral) return expect(press).rejects.toThrow();
  await press;
  await eventually(async () => {
    expect(wordsOf((await slack.modal('U0BOB')).blocks)).toContain('There is nothing to show');
  });
}

async function expectNowhere(stage: Stage, secrets: readonly string[]): Promise<void> {
  const { slack } = stage;
  const places = ['U0ALICE', 'U0BOB'].flatMap((user) =>
    ['C0OPS', 'C0GENERAL', user].map((channel) => slack.messages(channel, user)),
  );
  expectWithout(JSON.stringify(await Promise.all(places)), secrets, 'the messages');
  expectWithout(stage.log(), secrets, 'the log');
  expectWithout(stage.rows(), secrets, 'the database');
}

/** Written as JSON, a secret may have other characters. */
function expectWithout(text: string, secrets: readonly string[], place: string): void {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  for (const secret of written) expect(text.includes(secret), `a secret in ${place}`).toBe(false);
}

function hasShowOnce({ blocks }: SlackMessage): boolean {
  return blocks.flatMap(({ elements = [] }) => elements).some(isShowOnce);
}

function isShowOnce({ action_id }: { readonly action_id?: string | undefined }): boolean {
  return action_id === 'secret';
}

async function secretsOfAnswer(stage: Stage, { calls }: Case): Promise<readonly string[]> {
  const { method = '', path = '' } = calls.at(-1) ?? {};
  const secrets = secretsIn(JSON.parse(await stage.answerTo(method, path)));
  expect(secrets, 'secrets in the answer of the service').not.toEqual([]);
  return secrets;
}

/** Finds the values of fields whose name says that they are secrets. */
export function secretsIn(value: unknown): string[] {
  const record = z.record(z.string(), z.unknown()).safeParse(value);
  if (!record.success) return Array.isArray(value) ? value.flatMap(secretsIn) : [];
  return Object.entries(record.data).flatMap(([field, inner]) =>
    /pass|secret|token/i.test(field) && typeof inner === 'string' ? [inner] : secretsIn(inner),
  );
}
