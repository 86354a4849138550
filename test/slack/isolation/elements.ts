import { z } from 'zod';
import type { StackFixture } from '../stack-fixture.ts';

const json = z.record(z.string(), z.unknown());

type Json = z.infer<typeof json>;

/** An interactive element, with the payload that Slack would send for it. */
export interface ActionElement {
  /** The action ID. */
  readonly name: string;
  /** Tells elements with the same action ID apart. */
  readonly key: string;
  readonly action: Json;
  /** Whether using the element sends a payload. Plain form fields don't. */
  readonly isDispatched: boolean;
  readonly place: Json;
}

/** A view as Slack delivers it when it is submitted. */
export interface SubmittableView {
  readonly name: string;
  readonly view: Json;
}

/** Lists the elements of all messages that a person can see in a channel. */
export async function listMessageElements(
  { slack }: StackFixture,
  user: string,
  channel = 'C0OPS',
): Promise<readonly ActionElement[]> {
  const messages = await slack.messages(channel, user);
  return messages.flatMap((message) =>
    findElements(message.blocks).map((found) => {
      const container = {
        type: 'message',
        message_ts: message.ts,
        channel_id: 'C0OPS',
        is_ephemeral: message.ephemeral,
      };
      return toElement(found, { container, channel: { id: 'C0OPS', name: 'ops' } });
    }),
  );
}

/**
 * Lists the elements of a person's topmost modal or App Home. Also returns the view itself if it
 * can be submitted.
 */
export async function readView(
  { slack }: StackFixture,
  user: string,
  kind: 'modal' | 'home' = 'modal',
): Promise<{ readonly elements: readonly ActionElement[]; readonly sent: readonly SubmittableView[] }> {
  const answer = await (await fetch(`${slack.url}/sandbox/views?user=${user}`)).json();
  const { modals, home } = z.object({ modals: z.array(json), home: json.nullable() }).parse(answer);
  const view = kind === 'home' ? home : modals.at(-1);
  if (!view) throw new Error(`${user} sees no ${kind}`);
  const container = { type: 'view', view_id: view.id };
  const elements = findElements(view.blocks).map((found) => toElement(found, { container, view }));
  const callbackId = z.string().catch('').parse(view.callback_id);
  return { elements, sent: view.submit ? [{ name: callbackId, view }] : [] };
}

interface FoundElement {
  readonly block: Json;
  readonly element: Json;
}

function findElements(blocks: unknown): readonly FoundElement[] {
  return z
    .array(json)
    .parse(blocks)
    .flatMap((block) => {
      const inside = [
        ...(Array.isArray(block.elements) ? block.elements : []),
        block.accessory,
        block.element,
      ];
      return inside.flatMap((candidate) => {
        const element = json.safeParse(candidate).data;
        if (!element || typeof element.action_id !== 'string') return [];
        return [{ block, element }];
      });
    });
}

/** Returns the element's first option, or a VPS if its options have to be loaded. */
function firstOption(element: Json): Json {
  const options = z.array(json).catch([]).parse(element.options);
  const [first = { text: { type: 'plain_text', text: 'VPS-10001' }, value: 'VPS-10001' }] = options;
  return first;
}

function toElement({ block, element }: FoundElement, place: Json): ActionElement {
  const actionId = String(element.action_id);
  const isButton = element.type === 'button';
  const action = {
    type: element.type,
    action_id: actionId,
    block_id: block.block_id,
    action_ts: String(Date.now() / 1_000),
    ...(isButton ? { value: element.value } : { selected_option: firstOption(element) }),
  };
  const key = JSON.stringify([actionId, element.value, place.container]);
  const isDispatched = block.type !== 'input' || block.dispatch_action === true;
  return { name: actionId, key, action, isDispatched, place };
}
