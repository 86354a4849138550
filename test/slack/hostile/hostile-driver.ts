import { expect } from 'vitest';
import type { ModalView } from '../../stack.ts';
import type { ChannelMessage, HostileHarness } from './hostile-harness.ts';

const user = 'U0ALICE';

interface InteractiveElement {
  readonly type?: unknown;
  readonly block_id?: string | undefined;
  readonly action_id?: string | undefined;
  readonly value?: string | undefined;
}

/** Lists the buttons and selects of a message or a modal. */
function listElements({ blocks }: Pick<ModalView, 'blocks'>): readonly InteractiveElement[] {
  return blocks.flatMap(({ elements = [], block_id }) =>
    elements.map((element) => ({ ...element, block_id })),
  );
}

/** Confirms each confirmation card. Types the required text. */
export async function confirmAll(
  { slack, answers, passTime }: HostileHarness,
  cards: readonly ChannelMessage[],
): Promise<void> {
  for (const card of cards) {
    const button = listElements(card).find(({ action_id = '' }) => action_id.startsWith('confirm'));
    if (button === undefined) continue;
    await passTime(4_000);
    await slack.click(card, button.action_id ?? '', { channel: card.channel });
    if (button.action_id === 'confirm') continue;
    const view = await slack.modal();
    const wanted = /Type (\S+) to confirm/.exec(JSON.stringify(view.blocks))?.[1];
    const { block_id = '', element } = view.blocks.find((block) => block.element !== undefined) ?? {};
    const value = { type: 'plain_text_input', value: wanted };
    const { errors } = await slack.submit(view, { [block_id]: { [element?.action_id ?? '']: value } });
    expect(errors).toBeUndefined();
  }
  // A card disappears when its operation starts. If the target has changed in the meantime, it asks
  // again.
  await slack.untilSeen(async () => {
    const left = (await answers()).filter(
      (answer) => !JSON.stringify(answer.blocks).includes('Check it before'),
    );
    const ids = left.flatMap(listElements).map(({ action_id = '' }) => action_id);
    expect(ids.filter((id) => id.startsWith('confirm'))).toEqual([]);
  });
}

/** Posts each reply that can be shared to the channel. Returns how many there were. */
export async function shareAll({ slack, answers, passTime }: HostileHarness): Promise<number> {
  const shareable = (await answers()).flatMap((message) =>
    listElements(message).flatMap(({ action_id, value }) =>
      action_id === 'share' ? [{ message, value }] : [],
    ),
  );
  for (const { message, value } of shareable) {
    await passTime(1_000);
    await slack.click(message, 'share', { channel: message.channel, value });
  }
  // The public reply replaces the ephemeral one.
  await slack.untilSeen(async () => {
    const ids = (await answers()).flatMap(listElements).map(({ action_id }) => action_id);
    expect(ids).not.toContain('share');
  });
  return shareable.length;
}

/** Opens each select in the messages. */
export async function openSelects({ slack, answers }: HostileHarness): Promise<number> {
  const selects = (await answers()).flatMap((message) =>
    listElements(message).flatMap((element) =>
      element.type === 'external_select' ? [{ message, element }] : [],
    ),
  );
  for (const {
    message: { ts, channel },
    element: { action_id, block_id },
  } of selects) {
    await slack.act('suggest', { user, channel, ts, block_id, action_id, text: '' });
  }
  return selects.length;
}
