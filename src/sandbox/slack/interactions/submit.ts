import type { Core } from '../core.ts';
import { isObject, type JsonObject } from '../json.ts';
import { readView } from '../posting/view-draft.ts';
import { problemsOf, SlackError } from '../web-api/slack-error.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import { elementsOf } from '../world/elements.ts';
import type { Person } from '../world/seed.ts';
import { kindOf, type Values, withValue } from '../world/stateful-elements.ts';
import { maxStackedViews, type ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';
import { choose } from './choose.ts';
import { Impossible } from './impossible.ts';
import { areErrorsFor, formErrors } from './input-rules.ts';
import { commonFields, interactivityOff } from './payload.ts';
import { type Reaction, reactionTo, refused } from './reaction.ts';
import { responseUrlsOf } from './submission-urls.ts';

/** What becomes of a submission: the app's response action, or the errors that the client or the app finds. */
export type Submission = Reaction & {
  readonly response_action?: 'errors' | 'update' | 'push' | 'clear';
  readonly errors?: Record<string, string>;
};

/** What people read when a form could not be handed over, or the app answered what Slack does not understand. */
const trouble = 'We had some trouble connecting. Try again?';

/** Fills in a form and presses its submit button. What is not named in `filled` stays as it is. */
export async function submit(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: ShownView,
  filled: JsonObject,
): Promise<Submission> {
  if (!view.draft.submit) throw new Impossible(`The view ${view.id} has no submit button`);
  workspace.views.fill(view, filledIn(workspace, view, filled));
  const errors = formErrors(view.blocks, view.values);
  if (Object.keys(errors).length > 0) {
    return { acknowledged: false, ack_ms: 0, response_action: 'errors', errors };
  }
  const off = interactivityOff(core.manifest);
  if (off) return refused(off);
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: person.id, viewId: view.id });
  const payload = {
    type: 'view_submission',
    ...commonFields(workspace, person),
    trigger_id: triggerId,
    view: viewFacts(workspace, view, view.values),
    response_urls: responseUrlsOf(core, workspace, person, view),
  };
  const outcome = await core.deliver({ kind: 'interactive', team, payload });
  const reaction = reactionTo(outcome, triggerId);
  if (!outcome.ok) return { ...reaction, error: trouble };
  try {
    return { ...reaction, ...obey(workspace, view, outcome.payload) };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    outcome.exchange.learn({ refused: 'invalid_response_action', problems: problemsOf(error) });
    return { ...reaction, error: trouble };
  }
}

function filledIn(workspace: Workspace, view: ShownView, filled: JsonObject): Values {
  let values = view.values;
  const elements = elementsOf(view.blocks);
  for (const [blockId, actions] of Object.entries(filled)) {
    if (!isObject(actions)) throw new Impossible(`values.${blockId} holds an object per action_id`);
    for (const [actionId, state] of Object.entries(actions)) {
      const placed = elements.find((one) => one.blockId === blockId && one.actionId === actionId);
      const field = placed && kindOf(placed.type)?.field;
      if (!field) throw new Impossible(`Nothing can be filled in at ${blockId}/${actionId}`, 404);
      if (!isObject(state) || !(field in state)) {
        throw new Impossible(`${blockId}/${actionId} is a ${placed.type}: its value is in \`${field}\``);
      }
      const offered = view.offered.get(`${blockId} ${actionId}`) ?? [];
      values = withValue(values, placed, choose({ ...placed, offered }, state[field], workspace));
    }
  }
  return values;
}

/** Does what the app's acknowledgement says, or throws a `SlackError`. The view may have been closed or replaced meanwhile. */
function obey(workspace: Workspace, view: ShownView, answer: unknown): Partial<Submission> {
  const { views } = workspace;
  const action = isObject(answer) ? answer.response_action : undefined;
  if (!isObject(answer) || action === undefined) {
    views.close(view);
    return {};
  }
  switch (action) {
    case 'errors':
      if (!areErrorsFor(view.blocks, answer.errors)) {
        throw misunderstood('Each key of errors must be the block_id of an input block, each value a text');
      }
      return { response_action: 'errors', errors: answer.errors };
    case 'clear':
      views.clear(view.owner);
      return { response_action: 'clear' };
    case 'update':
      views.update(view, readView(answer.view, 'modal', workspace, view));
      return { response_action: 'update' };
    case 'push':
      if (views.stackOf(view.owner).length >= maxStackedViews) {
        throw misunderstood(`There are ${maxStackedViews} views already, the most that a modal has`);
      }
      views.push(view.owner, readView(answer.view, 'modal', workspace));
      return { response_action: 'push' };
    default:
      throw misunderstood(`There is no response_action ${JSON.stringify(action)}`);
  }
}

function misunderstood(message: string): SlackError {
  return new SlackError('invalid_response_action', { response_metadata: { messages: [message] } });
}
