import { z } from 'zod';
import type { Core } from '../../core.ts';
import type { Trigger } from '../../delivery/triggers.ts';
import { parseView } from '../../posting/parse-view.ts';
import { maxStackedViews, type StoredView } from '../../workspace/view-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { toViewObject } from '../objects/view-object.ts';
import { SlackError } from '../slack-error.ts';

const view = jsonArgument(z.looseObject({}));

export const viewsOpen = defineMethod({
  name: 'views.open',
  tier: 4,
  args: z.object({ trigger_id: nonEmptyString, view }),
  run(args, core, workspace) {
    const trigger = resolveTrigger(core, workspace, args.trigger_id);
    const draft = parseView(args.view, 'modal', workspace);
    trigger.isExchanged = true;
    return { view: toViewObject(workspace, workspace.views.open(trigger.user, draft)) };
  },
});

export const viewsPush = defineMethod({
  name: 'views.push',
  tier: 4,
  args: z.object({ trigger_id: nonEmptyString, view }),
  run(args, core, workspace) {
    const trigger = resolveTrigger(core, workspace, args.trigger_id);
    const stack = workspace.views.getStack(trigger.user);
    if (!stack.some(({ id }) => id === trigger.viewId)) throw new SlackError('not_found');
    if (stack.length >= maxStackedViews) throw new SlackError('push_limit_reached');
    const draft = parseView(args.view, 'modal', workspace);
    trigger.isExchanged = true;
    return { view: toViewObject(workspace, workspace.views.push(trigger.user, draft)) };
  },
});

export const viewsUpdate = defineMethod({
  name: 'views.update',
  tier: 4,
  args: z.object({
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
  args: z.object({ user_id: nonEmptyString, hash: z.string().optional(), view }),
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

function resolveTrigger(core: Core, workspace: Workspace, id: string): Trigger {
  const trigger = core.triggers.find(id);
  if (trigger?.team !== workspace.team.id) throw new SlackError('invalid_trigger_id');
  if (trigger.isExchanged) throw new SlackError('exchanged_trigger_id');
  if (trigger.expiresMs <= core.clock.now()) throw new SlackError('expired_trigger_id');
  return trigger;
}

function assertHash(view: StoredView, hash: string | undefined) {
  if (hash && hash !== view.hash) throw new SlackError('hash_conflict');
}
