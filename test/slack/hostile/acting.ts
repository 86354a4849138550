import { expect } from 'vitest';
import type { ModalView } from '../../stack.ts';
import type { Answer, HostileStage } from './stage.ts';

const user = 'U0ALICE';

interface Pressable {
  readonly type?: unknown;
  readonly block_id?: string | undefined;
  readonly action_id?: string | undefined;
  readonly value?: string | undefined;
}

/** Lists the buttons and selects of a message or a view. */
function elementsOf({ blocks }: Pick<ModalView, 'blocks'>): readonly Pressable[] {
  return blocks.flatMap(({ elements = [], block_id }) =>
    elements.map((element) => ({ ...element, block_id })),
  );
}

/** Presses the button of each card that asks, and types what it wants typed. */
export async function confirmAll(
  { slack, answers, passTime }: HostileStage,
  cards: readonly Answer[],
): Promise<void> {
  for (const card of cards) {
    const button = elementsOf(card).find(({ action_id = '' }) => action_id.startsWith('confirm'));
    if (button === undefined) continue;
    await passTime(4_000);
    await slack.click(card, button.action_id ?? '', { channel: card.channel });
    if (button.action_id === 'confirm') continue;
    const view = await slack.modal();
    const wanted = /Type (\S+) to go on/.exec(JSON.stringify(view.blocks))?.[1];
    const { block_id = '', element } = view.blocks.find((block) => block.element !== undefined) ?? {};
    const value = { type: 'plain_text_input', value: wanted };
    const { errors } = await slack.submit(view, { [block_id]: { [element?.action_id ?? '']: value } });
    expect(errors).toBeUndefined();
  }
  // A card gives way as what it asked begins, or asks again where something else has changed its target meanwhile.
  await expect
    .poll(async () => {
      const left = (await answers()).filter(
        (answer) => !JSON.stringify(answer.blocks).includes('look again'),
      );
      return !left.flatMap(elementsOf).some(({ action_id = '' }) => action_id.startsWith('confirm'));
    })
    .toBe(true);
}

/** Turns the page of each answer that has several, as often as three times. */
export async function turnPages({ slack, answers }: HostileStage): Promise<number> {
  let turned = 0;
  for (const { ts, channel } of await answers()) {
    for (let page = 1; page <= 3; page += 1) {
      const message = (await answers()).find((one) => one.ts === ts);
      const next = message && elementsOf(message).find(({ action_id }) => action_id === 'page:next');
      if (!message || !next) break;
      await slack.click(message, 'page:next', { channel, value: next.value });
      await expect
        .poll(async () => {
          const now = (await answers()).find((one) => one.ts === ts);
          return (
            now &&
            elementsOf(now).some(
              ({ action_id, value }) => action_id === 'page:previous' && value?.endsWith(`:${page - 1}`),
            )
          );
        })
        .toBe(true);
      turned += 1;
    }
  }
  return turned;
}

/** Posts each answer to the channel that can be posted, and gives how many those are. */
export async function shareAll({ slack, answers }: HostileStage): Promise<number> {
  const shareable = (await answers()).flatMap((message) =>
    elementsOf(message).flatMap(({ action_id, value }) =>
      action_id === 'share' ? [{ message, value }] : [],
    ),
  );
  for (const { message, value } of shareable)
    await slack.click(message, 'share', { channel: message.channel, value });
  // What only the asker saw gives way to what everybody sees.
  await expect
    .poll(async () => {
      const left = (await answers()).flatMap(elementsOf);
      return !left.some(({ action_id }) => action_id === 'share');
    })
    .toBe(true);
  return shareable.length;
}

/** Opens each select that stands in a message. */
export async function openSelects({ slack, answers }: HostileStage): Promise<number> {
  const selects = (await answers()).flatMap((message) =>
    elementsOf(message).flatMap((element) =>
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
