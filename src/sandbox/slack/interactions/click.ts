import type { Core } from '../core.ts';
import { isObject, type JsonObject } from '../json.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import type { PlacedElement } from '../world/elements.ts';
import { withReplies } from '../world/messages.ts';
import type { Person } from '../world/seed.ts';
import { kindOf, stateOf, withValue } from '../world/stateful-elements.ts';
import type { Workspace } from '../world/workspace.ts';
import { choose } from './choose.ts';
import { Impossible } from './impossible.ts';
import { channelField, commonFields, interactivityOff } from './payload.ts';
import { type Reaction, reactionTo, refused } from './reaction.ts';
import { elementOn, isButton, keepValues, offeredFor, type Surface, valuesOn } from './surface.ts';

/** Which element somebody uses, and what they choose there. */
export interface Press {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  /** Of a button, picks among equal ones; of anything else, the value or values chosen. */
  readonly value?: unknown;
}

/**
 * Uses an element: presses a button, chooses in a menu, and so on. What stands in an input block is kept for the
 * submission, and goes to the app at once only with `dispatch_action`: else `acknowledged` is false without an error.
 */
export async function click(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: Surface,
  press: Press,
): Promise<Reaction> {
  const placed = elementOn(surface, press);
  const offered = offeredFor(surface, placed);
  const chosen = isButton(placed.type) ? undefined : choose({ ...placed, offered }, press.value, workspace);
  if (menus.has(placed.type) && chosen === undefined) throw new Impossible(`${press.actionId} needs a value`);
  if (kindOf(placed.type)) {
    keepValues(surface, workspace, person, withValue(valuesOn(surface, workspace, person), placed, chosen));
  }
  if (placed.block.type === 'input' && placed.block.dispatch_action !== true) {
    return { acknowledged: false, ack_ms: 0 };
  }
  const off = interactivityOff(core.manifest);
  if (off) return refused(off);
  const team = workspace.team.id;
  const viewId = surface.kind === 'view' && surface.view.type === 'modal' ? surface.view.id : undefined;
  const triggerId = core.triggers.create({ team, user: person.id, viewId });
  const payload = {
    type: 'block_actions',
    ...commonFields(workspace, person),
    trigger_id: triggerId,
    ...placeOf(core, workspace, person, surface),
    actions: [actionOf(placed, chosen, core.mint.ts())],
  };
  return reactionTo(await core.deliver({ kind: 'interactive', team, payload }), triggerId);
}

function placeOf(core: Core, workspace: Workspace, person: Person, surface: Surface): JsonObject {
  const values = valuesOn(surface, workspace, person);
  if (surface.kind === 'view') {
    const view = viewFacts(workspace, surface.view, values);
    return { container: { type: 'view', view_id: surface.view.id }, view };
  }
  const { channel, message, isEphemeral } = surface;
  const threadTs = message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts };
  const original = { ts: message.ts, isEphemeral };
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...threadTs,
    },
    channel: channelField(channel),
    // Slack does not keep ephemeral messages, so it cannot show the app the one that was clicked.
    ...(!isEphemeral && { message: withReplies(message, workspace.messages.list(channel.id)) }),
    state: { values },
    response_url: core.responseUrls.create({
      team: workspace.team.id,
      channel: channel.id,
      user: person.id,
      original,
    }),
  };
}

/** Elements that are used by choosing one of several things, and keep nothing. */
const menus: ReadonlySet<string> = new Set(['overflow', 'feedback_buttons']);

/** Fields of an element that its action repeats. */
const repeated = ['text', 'value', 'style', 'url', 'placeholder', 'confirm', 'icon', 'min_query_length'];

function actionOf(
  { type, actionId, blockId, element }: PlacedElement,
  chosen: unknown,
  actionTs: string,
): JsonObject {
  const isInput = type.endsWith('_input');
  const fields = isInput ? [] : repeated.filter((field) => field in element);
  return {
    type,
    action_id: actionId,
    block_id: blockId,
    ...Object.fromEntries(fields.map((field) => [field, element[field]])),
    ...(kindOf(type) && stateOf(type, chosen)),
    ...(type === 'overflow' && { selected_option: chosen }),
    ...(type === 'feedback_buttons' && isObject(chosen) && { text: chosen.text, value: chosen.value }),
    action_ts: actionTs,
  };
}
