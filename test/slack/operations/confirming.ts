import { expect } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { SlackMessage } from '../../stack.ts';
import type { Case } from './case.ts';
import type { Stage } from './stage.ts';

/** Waits for the card that asks, sees that nothing has been changed and nobody else is asked, and goes on. */
export async function confirm(
  stage: Stage,
  { asks }: Case,
  { made, threadTs }: { readonly made: number; readonly threadTs?: string },
): Promise<void> {
  const { slack, service } = stage;
  const { card, actionId } = await cardOf(stage);
  expect(card.ephemeral).toBe(true);
  expect(card.thread_ts).toBe(threadTs);
  const others = await slack.messages('C0OPS', 'U0BOB');
  expect(others.some(({ ts }) => ts === card.ts)).toBe(false);
  const isUnchanged = async () => (await service.calls()).slice(made).every(({ method }) => method === 'GET');
  expect(await isUnchanged()).toBe(true);

  await slack.click(card, actionId);
  if (typeof asks === 'string') {
    expect(await typeToConfirm(stage, `${asks}-not`)).toEqual([expect.any(String)]);
    expect(await isUnchanged()).toBe(true);
    expect(await typeToConfirm(stage, asks)).toEqual([]);
  }
  await expect.poll(async () => (await slack.messages()).every(({ ts }) => ts !== card.ts)).toBe(true);
}

async function cardOf({ slack }: Stage): Promise<{ card: SlackMessage; actionId: string }> {
  return eventually(async () => {
    for (const card of await slack.messages()) {
      const ids = card.blocks.flatMap(({ elements = [] }) => elements.map(({ action_id = '' }) => action_id));
      const actionId = ids.find((id) => id.startsWith('confirm'));
      if (actionId !== undefined) return { card, actionId };
    }
    throw new Error(
      `nothing is asked; there are: ${(await slack.messages()).map(({ text }) => text).join(' | ')}`,
    );
  });
}

/** Types a text into the only field of the modal, and gives what is said to be wrong with it. */
async function typeToConfirm({ slack }: Stage, text: string): Promise<readonly string[]> {
  const view = await slack.modal();
  const block = view.blocks.find(({ element }) => element !== undefined);
  const { block_id = '', element } = block ?? {};
  const value = { type: 'plain_text_input', value: text };
  const answer = await slack.submit(view, { [block_id]: { [element?.action_id ?? '']: value } });
  return Object.values(answer.errors ?? {});
}
