import type { Core } from '../core.ts';
import { toFunctionFields } from '../functions/function-surfaces.ts';
import { isObject, type JsonObject } from '../json.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import type { PlacedElement } from '../workspace/elements.ts';
import { withReplySummary } from '../workspace/messages/message.ts';
import type { Person } from '../workspace/seed.ts';
import { findStateField, toState, withValue } from '../workspace/state-values.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, rejectedResult, toActionResult } from './action-result.ts';
import { chooseValue } from './choose-value.ts';
import {
  getValues,
  type InteractionSurface,
  isButton,
  listOfferedOptions,
  resolveElement,
  saveValues,
} from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { commonPayloadFields, interactivityError, toChannelField } from './payload.ts';

/** The element that a person uses, and their choice. */
export interface ElementClick {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  /**
   * For a button, distinguishes it from others with the same `action_id`. For other elements, the
   * chosen value or values.
   */
  readonly value?: unknown;
}

/**
 * Uses an element, for example clicks a button or chooses from a menu. A value in an input block is
 * stored for the submission, and sent to the app immediately only with `dispatch_action`. Otherwise
 * `acknowledged` is false without an error.
 */
export async function clickElement(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: InteractionSurface,
  press: ElementClick,
): Promise<ActionResult> {
  const placed = resolveElement(surface, press);
  const offered = listOfferedOptions(surface, placed);
  const chosen = isButton(placed.type)
    ? undefined
    : chooseValue(core, workspace, person, { ...placed, offered }, press.value);
  if (menuTypes.has(placed.type) && chosen === undefined)
    throw new InvalidActionError(`${press.actionId} needs a value`);
  if (findStateField(placed.type)) {
    saveValues(surface, workspace, person, withValue(getValues(surface, workspace, person), placed, chosen));
  }
  if (placed.block.type === 'input' && placed.block.dispatch_action !== true) {
    return { acknowledged: false, ack_ms: 0 };
  }
  const off = interactivityError(core.manifest);
  if (off) return rejectedResult(off);
  const team = workspace.team.id;
  const viewId = surface.kind === 'view' && surface.view.type === 'modal' ? surface.view.id : undefined;
  const triggerId = core.triggers.create({ team, user: person.id, viewId });
  const payload = {
    type: 'block_actions',
    ...commonPayloadFields(workspace, person),
    trigger_id: triggerId,
    ...toFunctionFields(workspace, person, surface, triggerId),
    ...buildSurfaceFields(core, workspace, person, surface),
    actions: [buildAction(placed, chosen, core.ids.ts())],
  };
  return toActionResult(await core.deliver({ kind: 'interactive', team, payload }), triggerId);
}

function buildSurfaceFields(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: InteractionSurface,
): JsonObject {
  const values = getValues(surface, workspace, person);
  if (surface.kind === 'view') {
    const view = toViewObject(workspace, surface.view, values);
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
    channel: toChannelField(channel),
    // Slack doesn't store ephemeral messages, so the payload can't include the message that was
    // clicked.
    ...(!isEphemeral && { message: withReplySummary(message, workspace.messages.list(channel.id)) }),
    state: { values },
    response_url: core.responseUrls.create({
      team: workspace.team.id,
      channel: channel.id,
      user: person.id,
      original,
    }),
  };
}

/** Menus that trigger an action when something is chosen, but don't store the choice. */
const menuTypes: ReadonlySet<string> = new Set(['overflow', 'feedback_buttons']);

/** Fields of an element that its action repeats. */
const repeatedFields = [
  'text',
  'value',
  'style',
  'url',
  'placeholder',
  'confirm',
  'icon',
  'min_query_length',
];

function buildAction(
  { type, actionId, blockId, element }: PlacedElement,
  chosen: unknown,
  actionTs: string,
): JsonObject {
  const isInput = type.endsWith('_input');
  const fields = isInput ? [] : repeatedFields.filter((field) => field in element);
  return {
    type,
    action_id: actionId,
    block_id: blockId,
    ...Object.fromEntries(fields.map((field) => [field, element[field]])),
    ...(findStateField(type) && toState(type, chosen)),
    ...(type === 'overflow' && { selected_option: chosen }),
    ...(type === 'feedback_buttons' && isObject(chosen) && { text: chosen.text, value: chosen.value }),
    action_ts: actionTs,
  };
}
