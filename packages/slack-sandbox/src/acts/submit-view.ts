import type { Core } from '../core.ts';
import { toFunctionFields } from '../functions/function-surfaces.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { parseView } from '../posting/parse-view.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import { formatProblems, SlackError } from '../web-api/slack-error.ts';
import { listElements } from '../workspace/elements.ts';
import type { Person } from '../workspace/seed.ts';
import { findStateField, readValue, type StateValues, withValue } from '../workspace/state-values.ts';
import { maxStackedViews, type StoredView } from '../workspace/view-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, rejectedResult, toActionResult } from './action-result.ts';
import { chooseValue } from './choose-value.ts';
import { areInputErrors, validateForm } from './form-validation.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { commonPayloadFields, interactivityError } from './payload.ts';

/**
 * The result of a submission: the app's response action, or the errors that the client or the app
 * found.
 */
export type SubmissionResult = ActionResult & {
  readonly response_action?: 'errors' | 'update' | 'push' | 'clear';
  readonly errors?: Record<string, string>;
};

/** Shown if a form could not be delivered, or if Slack doesn't understand the app's response. */
const connectionErrorText = 'We had some trouble connecting. Try again?';

/** Fills in a form and submits it. Fields that `filled` doesn't contain stay unchanged. */
export async function submitView(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: StoredView,
  filled: JsonObject,
): Promise<SubmissionResult> {
  if (!view.draft.submit) throw new InvalidActionError(`The view ${view.id} has no submit button`);
  workspace.views.setValues(view, applyInputs(core, workspace, person, view, filled));
  const errors = validateForm(view.blocks, view.values);
  if (Object.keys(errors).length > 0) {
    return { acknowledged: false, ack_ms: 0, response_action: 'errors', errors };
  }
  const off = interactivityError(core.manifest);
  if (off) return rejectedResult(off);
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: person.id, viewId: view.id });
  const payload = {
    type: 'view_submission',
    ...commonPayloadFields(workspace, person),
    trigger_id: triggerId,
    ...toFunctionFields(workspace, person, { kind: 'view', view }, triggerId),
    view: toViewObject(workspace, view, view.values),
    response_urls: createSubmissionResponseUrls(core, workspace, person, view),
  };
  const outcome = await core.deliver({ kind: 'interactive', team, payload });
  const reaction = toActionResult(outcome, triggerId);
  if (!outcome.ok) return { ...reaction, error: connectionErrorText };
  try {
    return { ...reaction, ...applyResponseAction(workspace, view, outcome.payload) };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    outcome.exchange.update({ refused: 'invalid_response_action', problems: formatProblems(error) });
    return { ...reaction, error: connectionErrorText };
  }
}

function applyInputs(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: StoredView,
  filled: JsonObject,
): StateValues {
  let values = view.values;
  const elements = listElements(view.blocks);
  for (const [blockId, actions] of Object.entries(filled)) {
    if (!isObject(actions)) throw new InvalidActionError(`values.${blockId} holds an object per action_id`);
    for (const [actionId, state] of Object.entries(actions)) {
      const placed = elements.find((one) => one.blockId === blockId && one.actionId === actionId);
      const field = placed && findStateField(placed.type)?.name;
      if (!field) throw new InvalidActionError(`There is no input at ${blockId}/${actionId}`, 404);
      if (!isObject(state) || !(field in state)) {
        throw new InvalidActionError(
          `${blockId}/${actionId} is a ${placed.type}: its value is in \`${field}\``,
        );
      }
      const offered = view.offeredOptions.get(`${blockId} ${actionId}`) ?? [];
      const chosen = chooseValue(core, workspace, person, { ...placed, offered }, state[field]);
      values = withValue(values, placed, chosen);
    }
  }
  return values;
}

/**
 * Applies the app's response action. Throws a `SlackError` if it is invalid. The view may have been
 * closed or replaced in the meantime.
 */
function applyResponseAction(
  workspace: Workspace,
  view: StoredView,
  answer: unknown,
): Partial<SubmissionResult> {
  const { views } = workspace;
  const action = isObject(answer) ? answer.response_action : undefined;
  if (!isObject(answer) || action === undefined) {
    views.close(view);
    return {};
  }
  switch (action) {
    case 'errors':
      if (!areInputErrors(view.blocks, answer.errors)) {
        throw invalidResponseAction(
          'Each key of errors must be the block_id of an input block, each value a text',
        );
      }
      return { response_action: 'errors', errors: answer.errors };
    case 'clear':
      views.closeAll(view.owner);
      return { response_action: 'clear' };
    case 'update':
      views.update(view, parseView(readView(answer), 'modal', workspace, view));
      return { response_action: 'update' };
    case 'push':
      if (views.getStack(view.owner).length >= maxStackedViews) {
        throw invalidResponseAction(`There are ${maxStackedViews} views already, the maximum for a modal`);
      }
      views.push(view.owner, parseView(readView(answer), 'modal', workspace));
      return { response_action: 'push' };
    default:
      throw invalidResponseAction(`There is no response_action ${JSON.stringify(action)}`);
  }
}

/** Reads an acknowledgement's view. Slack's sample app Tasks sends it as text that contains JSON. */
function readView({ view }: JsonObject): unknown {
  return typeof view === 'string' ? parseJson(view) : view;
}

function invalidResponseAction(message: string): SlackError {
  return new SlackError('invalid_response_action', { response_metadata: { messages: [message] } });
}

/** Creates a `response_url` for each conversation menu that has `response_url_enabled`. */
export function createSubmissionResponseUrls(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: StoredView,
): JsonObject[] {
  return listElements(view.blocks).flatMap(({ type, element, blockId, actionId }) => {
    if (element.response_url_enabled !== true) return [];
    const channel = readValue(type, view.values[blockId]?.[actionId]);
    if (typeof channel !== 'string') return [];
    const url = core.responseUrls.create({ team: workspace.team.id, channel, user: person.id });
    return [{ block_id: blockId, action_id: actionId, channel_id: channel, response_url: url }];
  });
}
