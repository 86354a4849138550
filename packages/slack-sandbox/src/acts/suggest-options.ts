import { validateOptions } from '../block-kit/validation/validate.ts';
import type { Core } from '../core.ts';
import { filterObjects, isObject, type JsonObject } from '../json.ts';
import { toStoredMessageTexts, toStoredTexts } from '../mrkdwn/stored-text.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import type { Person } from '../workspace/seed.ts';
import type { StoredView } from '../workspace/view-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, rejectedResult, toActionResult } from './action-result.ts';
import { type InteractionSurface, resolveElement } from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { commonPayloadFields, interactivityError, toChannelField } from './payload.ts';

/** The options that a menu shows for typed text. */
export type SuggestionResult = Partial<ActionResult> & {
  readonly options: readonly JsonObject[];
  readonly option_groups?: readonly JsonObject[];
};

interface OptionsQuery {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  readonly text: string;
}

/** Slack's default for `min_query_length`: docs.slack.dev/reference/block-kit/block-elements/select-menu-element. */
const defaultMinChars = 3;

/**
 * Types text into an external menu. If the text is shorter than `min_query_length`, the app isn't
 * asked for options.
 */
export async function suggestOptions(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: InteractionSurface,
  { actionId, blockId, text }: OptionsQuery,
): Promise<SuggestionResult> {
  const placed = resolveElement(surface, { actionId, blockId });
  if (!placed.type.endsWith('external_select'))
    throw new InvalidActionError(`${actionId} is a ${placed.type}`);
  const minChars = placed.element.min_query_length ?? defaultMinChars;
  if (text.length < Number(minChars)) return { options: [] };
  const off = interactivityError(core.manifest) ?? optionsError(core);
  if (off) return { options: [], ...rejectedResult(off) };
  const payload = {
    type: 'block_suggestion',
    ...commonPayloadFields(workspace, person),
    action_id: placed.actionId,
    block_id: placed.blockId,
    value: text,
    ...buildSurfaceFields(workspace, surface),
  };
  const outcome = await core.deliver({ kind: 'interactive', team: workspace.team.id, payload });
  const reaction = toActionResult(outcome);
  if (!outcome.ok) return { options: [], ...reaction };
  const problems = validateOptions(outcome.payload);
  if (problems.length > 0 || !isObject(outcome.payload)) {
    const reasons = problems.map(({ pointer, message }) => `${message} (${pointer || '/'})`);
    outcome.exchange.update({ refused: 'invalid_options', problems: reasons });
    return { options: [], ...reaction, error: `Slack rejects these options: ${reasons.join('; ')}` };
  }
  const stored =
    surface.kind === 'view' ? toStoredTexts(outcome.payload) : toStoredMessageTexts(outcome.payload);
  const groups = filterObjects(stored.option_groups);
  const options = [
    ...filterObjects(stored.options),
    ...groups.flatMap((group) => filterObjects(group.options)),
  ];
  if (surface.kind === 'view')
    storeOfferedOptions(surface.view, `${placed.blockId} ${placed.actionId}`, options);
  return { options, ...reaction, ...(groups.length > 0 && { option_groups: groups }) };
}

function optionsError({ isHttp, manifest }: Core): string | undefined {
  if (!isHttp || manifest.hasOptionsUrl) return undefined;
  return 'The manifest has no settings.interactivity.message_menu_options_url';
}

/**
 * Stores the options that the app has returned. Earlier options stay valid, because they can
 * already be chosen.
 */
function storeOfferedOptions({ offeredOptions }: StoredView, key: string, options: readonly JsonObject[]) {
  offeredOptions.set(key, [...options, ...(offeredOptions.get(key) ?? [])].slice(0, 1000));
}

/** Returns the fields for the surface. The view is sent without the values entered in it (bolt-js#1146). */
function buildSurfaceFields(workspace: Workspace, surface: InteractionSurface): JsonObject {
  if (surface.kind === 'view') {
    return {
      container: { type: 'view', view_id: surface.view.id },
      view: toViewObject(workspace, surface.view),
    };
  }
  const { channel, message, isEphemeral } = surface;
  return {
    container: { type: 'message', message_ts: message.ts, channel_id: channel.id, is_ephemeral: isEphemeral },
    channel: toChannelField(channel),
    ...(!isEphemeral && { message }),
  };
}
