import { expect } from 'vitest';
import type { SlackMessage } from '../../stack.ts';
import { findBareVpsNames } from '../bare-vps-names.ts';
import type { StackFixture } from '../stack-fixture.ts';
import type { OperationCase } from './operation-case.ts';
import { expectSpokenTargets } from './spoken-targets.ts';

/**
 * Waits for the confirmation card. Checks that nothing was changed yet and that nobody else was
 * asked, then confirms.
 */
export async function confirm(
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
