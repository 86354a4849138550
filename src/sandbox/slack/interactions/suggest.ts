import { checkOptions } from '../block-kit/check.ts';
import type { Core } from '../core.ts';
import { isObject, type JsonObject, objectsIn } from '../json.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import type { Person } from '../world/seed.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';
import { channelField, commonFields, interactivityOff } from './payload.ts';
import { type Reaction, reactionTo, refused } from './reaction.ts';
import { elementOn, type Surface } from './surface.ts';

/** What a menu shows for what was typed. */
export type Suggestions = Partial<Reaction> & {
  readonly options: readonly JsonObject[];
  readonly option_groups?: readonly JsonObject[];
};

interface Question {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  readonly text: string;
}

/** Slack's default for `min_query_length`: docs.slack.dev/reference/block-kit/block-elements/select-menu-element. */
const defaultMinChars = 3;

/** Types into a menu whose options come from the app. Below its `min_query_length` nobody is asked. */
export async function suggest(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: Surface,
  { actionId, blockId, text }: Question,
): Promise<Suggestions> {
  const placed = elementOn(surface, { actionId, blockId });
  if (!placed.type.endsWith('external_select')) throw new Impossible(`${actionId} is a ${placed.type}`);
  const minChars = placed.element.min_query_length ?? defaultMinChars;
  if (text.length < Number(minChars)) return { options: [] };
  const off = interactivityOff(core.manifest) ?? optionsOff(core);
  if (off) return { options: [], ...refused(off) };
  const payload = {
    type: 'block_suggestion',
    ...commonFields(workspace, person),
    action_id: placed.actionId,
    block_id: placed.blockId,
    value: text,
    ...placeOf(workspace, surface),
  };
  const outcome = await core.deliver({ kind: 'interactive', team: workspace.team.id, payload });
  const reaction = reactionTo(outcome);
  if (!outcome.ok) return { options: [], ...reaction };
  const problems = checkOptions(outcome.payload);
  if (problems.length > 0 || !isObject(outcome.payload)) {
    const reasons = problems.map(({ pointer, message }) => `${message} (${pointer || '/'})`);
    outcome.exchange.learn({ refused: 'invalid_options', problems: reasons });
    return { options: [], ...reaction, error: `Slack refuses these options: ${reasons.join('; ')}` };
  }
  const groups = objectsIn(outcome.payload.option_groups);
  const options = [
    ...objectsIn(outcome.payload.options),
    ...groups.flatMap((group) => objectsIn(group.options)),
  ];
  if (surface.kind === 'view') remember(surface.view, `${placed.blockId} ${placed.actionId}`, options);
  return { options, ...reaction, ...(groups.length > 0 && { option_groups: groups }) };
}

function optionsOff({ isHttp, manifest }: Core): string | undefined {
  if (!isHttp || manifest.optionsOverHttp) return undefined;
  return 'The manifest has no settings.interactivity.message_menu_options_url';
}

/** What was offered before stays good for what is chosen already. */
function remember({ offered }: ShownView, key: string, options: readonly JsonObject[]) {
  offered.set(key, [...options, ...(offered.get(key) ?? [])].slice(0, 1000));
}

/** The view comes without what is filled in: bolt-js#1146. */
function placeOf(workspace: Workspace, surface: Surface): JsonObject {
  if (surface.kind === 'view') {
    return {
      container: { type: 'view', view_id: surface.view.id },
      view: viewFacts(workspace, surface.view),
    };
  }
  const { channel, message, isEphemeral } = surface;
  return {
    container: { type: 'message', message_ts: message.ts, channel_id: channel.id, is_ephemeral: isEphemeral },
    channel: channelField(channel),
    ...(!isEphemeral && { message }),
  };
}
