import { z } from 'zod';
import type { Core } from '../../core.ts';
import type { Trigger } from '../../delivery/triggers.ts';
import { linkViewToFunction } from '../../functions/function-surfaces.ts';
import { parseView } from '../../posting/parse-view.ts';
import { maxStackedViews, type StoredView } from '../../workspace/view-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { toViewObject } from '../objects/view-object.ts';
import { assertNoProblems, SlackError } from '../slack-error.ts';

const view = jsonArgument(z.looseObject({}));
/** Functions of workflows get an `interactivity_pointer`, which works like a `trigger_id`. */
const trigger = { trigger_id: nonEmptyString.optional(), interactivity_pointer: nonEmptyString.optional() };

export const viewsOpen = defineMethod({
  name: 'views.open',
  tier: 4,
  args: () => z.object({ ...trigger, view }),
  run(args, core, workspace) {
    const trigger = resolveTrigger(core, workspace, args);
    const draft = parseView(args.view, 'modal', workspace);
    trigger.isExchanged = true;
    const opened = workspace.views.open(trigger.user, draft);
    linkViewToFunction(workspace, opened.id);
    return { view: toViewObject(workspace, opened) };
  },
});

export const viewsPush = defineMethod({
  name: 'views.push',
  tier: 4,
  args: () => z.object({ ...trigger, view }),
  run(args, core, workspace) {
    const trigger = resolveTrigger(core, workspace, args);
    const stack = workspace.views.getStack(trigger.user);
    if (!stack.some(({ id }) => id === trigger.viewId)) throw new SlackError('not_found');
    if (stack.length >= maxStackedViews) throw new SlackError('push_limit_reached');
    const draft = parseView(args.view, 'modal', workspace);
    trigger.isExchanged = true;
    const pushed = workspace.views.push(trigger.user, draft);
    linkViewToFunction(workspace, pushed.id);
    return { view: toViewObject(workspace, pushed) };
  },
});

export const viewsUpdate = defineMethod({
  name: 'views.update',
  tier: 4,
  args: () =>
    z.object({
      view_id: nonEmptyString.optional(),
      external_id: nonEmptyString.optional(),
      hash: z.string().optional(),
      view,
    }),
  run(args, _core, workspace) {
    const { views } = workspace;
    const shown = args.view_id
      ? views.findById(args.view_id)
      : views.findByExternalId(args.external_id ?? '');
    if (!shown) throw new SlackError('not_found');
    assertHash(shown, args.hash);
    const draft = parseView(args.view, shown.type, workspace, shown);
    views.update(shown, draft);
    return { view: toViewObject(workspace, shown) };
  },
});

export const viewsPublish = defineMethod({
  name: 'views.publish',
  tier: 4,
  args: () => z.object({ user_id: nonEmptyString, hash: z.string().optional(), view }),
  run(args, core, workspace) {
    if (!core.manifest.hasHomeTab) throw new SlackError('not_enabled');
    if (!workspace.people.has(args.user_id)) {
      const messages = ['[ERROR] invalid `user_id` [json-pointer:/user_id]'];
      throw new SlackError('invalid_arguments', { response_metadata: { messages } });
    }
    const known = workspace.views.getHome(args.user_id);
    if (known) assertHash(known, args.hash);
    const draft = parseView(args.view, 'home', workspace, known);
    return { view: toViewObject(workspace, workspace.views.publish(args.user_id, draft)) };
  },
});

interface TriggerArguments {
  readonly trigger_id?: string | undefined;
  readonly interactivity_pointer?: string | undefined;
}

function resolveTrigger(core: Core, workspace: Workspace, args: TriggerArguments): Trigger {
  const id = args.trigger_id ?? args.interactivity_pointer;
  if (id === undefined) {
    const problem = { pointer: '', message: 'missing required field: trigger_id' };
    assertNoProblems([problem], 'invalid_arguments');
    throw new SlackError('invalid_arguments');
  }
  const trigger = core.triggers.find(id);
  if (trigger?.team !== workspace.team.id) throw new SlackError('invalid_trigger_id');
  if (trigger.isExchanged) throw new SlackError('exchanged_trigger_id');
  if (trigger.expiresMs <= core.clock.now()) throw new SlackError('expired_trigger_id');
  return trigger;
}

function assertHash(view: StoredView, hash: string | undefined) {
  if (hash && hash !== view.hash) throw new SlackError('hash_conflict');
}
