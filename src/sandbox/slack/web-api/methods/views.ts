import { z } from 'zod';
import type { Core } from '../../core.ts';
import type { Trigger } from '../../delivery/triggers.ts';
import { readView } from '../../posting/view-draft.ts';
import { maxStackedViews, type ShownView } from '../../world/views.ts';
import type { Workspace } from '../../world/workspace.ts';
import { json, reference } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { SlackError } from '../slack-error.ts';
import { viewFacts } from '../view-facts.ts';

const view = json(z.looseObject({}));

export const viewsOpen = defineMethod({
  name: 'views.open',
  tier: 4,
  args: z.object({ trigger_id: reference, view }),
  run(args, core, workspace) {
    const trigger = liveTrigger(core, workspace, args.trigger_id);
    const draft = readView(args.view, 'modal', workspace);
    trigger.exchanged = true;
    return { view: viewFacts(workspace, workspace.views.open(trigger.user, draft)) };
  },
});

export const viewsPush = defineMethod({
  name: 'views.push',
  tier: 4,
  args: z.object({ trigger_id: reference, view }),
  run(args, core, workspace) {
    const trigger = liveTrigger(core, workspace, args.trigger_id);
    const stack = workspace.views.stackOf(trigger.user);
    if (!stack.some(({ id }) => id === trigger.viewId)) throw new SlackError('not_found');
    if (stack.length >= maxStackedViews) throw new SlackError('push_limit_reached');
    const draft = readView(args.view, 'modal', workspace);
    trigger.exchanged = true;
    return { view: viewFacts(workspace, workspace.views.push(trigger.user, draft)) };
  },
});

export const viewsUpdate = defineMethod({
  name: 'views.update',
  tier: 4,
  args: z.object({
    view_id: reference.optional(),
    external_id: reference.optional(),
    hash: z.string().optional(),
    view,
  }),
  run(args, _core, workspace) {
    const { views } = workspace;
    const shown = args.view_id ? views.byId(args.view_id) : views.byExternalId(args.external_id ?? '');
    if (!shown) throw new SlackError('not_found');
    requireHash(shown, args.hash);
    const draft = readView(args.view, shown.type, workspace, shown);
    views.update(shown, draft);
    return { view: viewFacts(workspace, shown) };
  },
});

export const viewsPublish = defineMethod({
  name: 'views.publish',
  tier: 4,
  args: z.object({ user_id: reference, hash: z.string().optional(), view }),
  run(args, core, workspace) {
    if (!core.manifest.homeTab) throw new SlackError('not_enabled');
    if (!workspace.people.has(args.user_id)) {
      const messages = ['[ERROR] invalid `user_id` [json-pointer:/user_id]'];
      throw new SlackError('invalid_arguments', { response_metadata: { messages } });
    }
    const known = workspace.views.homeOf(args.user_id);
    if (known) requireHash(known, args.hash);
    const draft = readView(args.view, 'home', workspace, known);
    return { view: viewFacts(workspace, workspace.views.publish(args.user_id, draft)) };
  },
});

function liveTrigger(core: Core, workspace: Workspace, id: string): Trigger {
  const trigger = core.triggers.find(id);
  if (trigger?.team !== workspace.team.id) throw new SlackError('invalid_trigger_id');
  if (trigger.exchanged) throw new SlackError('exchanged_trigger_id');
  if (trigger.expiresMs <= core.clock.now()) throw new SlackError('expired_trigger_id');
  return trigger;
}

function requireHash(view: ShownView, hash: string | undefined) {
  if (hash && hash !== view.hash) throw new SlackError('hash_conflict');
}
