import { z } from 'zod';
import type { Stage } from './stage.ts';

const json = z.record(z.string(), z.unknown());

type Json = z.infer<typeof json>;

/** Something that can be pressed or chosen, with all that Slack would deliver of it. */
export interface Element {
  /** Its id. */
  readonly name: string;
  /** Tells it from others of that id. */
  readonly key: string;
  readonly action: Json;
  /** Whether using it is delivered: what is only filled in is not. */
  readonly isHeard: boolean;
  readonly place: Json;
}

/** A view as Slack would deliver it when it is sent. */
export interface SentView {
  readonly name: string;
  readonly view: Json;
}

/** Lists everything on the messages that a person sees in a channel. */
export async function elementsOfMessages(
  { slack }: Stage,
  user: string,
  channel = 'C0OPS',
): Promise<readonly Element[]> {
  const messages = await slack.messages(channel, user);
  return messages.flatMap((message) =>
    elementsIn(message.blocks).map((found) => {
      const container = {
        type: 'message',
        message_ts: message.ts,
        channel_id: 'C0OPS',
        is_ephemeral: message.ephemeral,
      };
      return elementOf(found, { container, channel: { id: 'C0OPS', name: 'ops' } });
    }),
  );
}

/** Lists everything in the topmost view of a person, or in their App Home, and the view itself where it can be sent. */
export async function viewOf(
  { slack }: Stage,
  user: string,
  kind: 'modal' | 'home' = 'modal',
): Promise<{ readonly elements: readonly Element[]; readonly sent: readonly SentView[] }> {
  const answer = await (await fetch(`${slack.url}/sandbox/views?user=${user}`)).json();
  const { modals, home } = z.object({ modals: z.array(json), home: json.nullable() }).parse(answer);
  const view = kind === 'home' ? home : modals.at(-1);
  if (!view) throw new Error(`${user} sees no ${kind}`);
  const container = { type: 'view', view_id: view.id };
  const elements = elementsIn(view.blocks).map((found) => elementOf(found, { container, view }));
  const callbackId = z.string().catch('').parse(view.callback_id);
  return { elements, sent: view.submit ? [{ name: callbackId, view }] : [] };
}

interface Found {
  readonly block: Json;
  readonly element: Json;
}

function elementsIn(blocks: unknown): readonly Found[] {
  return z
    .array(json)
    .parse(blocks)
    .flatMap((block) => {
      const inside = [
        ...(Array.isArray(block.elements) ? block.elements : []),
        block.accessory,
        block.element,
      ];
      return inside.flatMap((one) => {
        const element = json.safeParse(one).data;
        if (!element || typeof element.action_id !== 'string') return [];
        return [{ block, element }];
      });
    });
}

/** A choice that an element offers, or the one that the service would give. */
function chosenIn(element: Json): Json {
  const options = z.array(json).catch([]).parse(element.options);
  const [first = { text: { type: 'plain_text', text: 'VPS-10001' }, value: 'VPS-10001' }] = options;
  return first;
}

function elementOf({ block, element }: Found, place: Json): Element {
  const actionId = String(element.action_id);
  const isButton = element.type === 'button';
  const action = {
    type: element.type,
    action_id: actionId,
    block_id: block.block_id,
    action_ts: String(Date.now() / 1_000),
    ...(isButton ? { value: element.value } : { selected_option: chosenIn(element) }),
  };
  const key = JSON.stringify([actionId, element.value, place.container]);
  const isHeard = block.type !== 'input' || block.dispatch_action === true;
  return { name: actionId, key, action, isHeard, place };
}
