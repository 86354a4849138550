import type { App, BlockAction, ButtonAction, types } from '@slack/bolt';
import { z } from 'zod';
import type { Actor } from '../../operations/define/access/actor.ts';
import { createStepCheck } from '../../operations/define/access/permitted-steps.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import { deniedProblem } from '../../runs/problem.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { homeRequiredAccess, loadServiceFacts } from '../home/home-facts.ts';
import { loadHomeOverview } from '../home/home-overview.ts';
import { buildDeniedHomeView, buildHomeView, type ServiceFacts } from '../home/home-view.ts';
import { notifyIfSlow } from '../messages/progress-message.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const vpsChoice = z
  .string()
  .regex(/^[^:]+:.+$/)
  .transform((value) => {
    const [operation = '', ...name] = value.split(':');
    return { operation, vps: name.join(':') };
  });

/** Publishes the App Home when someone opens it, and runs operations from its menus. */
export function listenToAppHome(app: App, dependencies: ListenerDependencies): void {
  const { catalogue, dispatch, clients, access, workingNoticeMs } = dependencies;
  const onClick = createOnClick(app, dependencies);

  /** Publishes the App Home. If the hosting service is slow, Rackhand's own data is published first. */
  async function publish(actor: Actor, isFresh: boolean): Promise<void> {
    const client = await clients(actor.teamId);
    const show = (view: types.HomeView) => client.views.publish({ user_id: actor.userId, view });
    const checkAccess = await access(actor, {});
    const refusal = checkAccess(homeRequiredAccess);
    if (refusal) {
      await show(buildDeniedHomeView(deniedProblem(refusal)));
      return;
    }
    const isPermitted = createStepCheck(catalogue, checkAccess);
    const sources = { ...dependencies, checkAccess };
    const reading = loadServiceFacts(actor, sources, isFresh);
    const showHome = async (service: ServiceFacts | undefined) => {
      const overview = await loadHomeOverview(actor, sources);
      await show(buildHomeView({ overview, service, isPermitted, nowMs: dependencies.now() }));
    };
    await showHome(await notifyIfSlow(reading, workingNoticeMs, () => showHome(undefined)));
  }

  app.event('app_home_opened', async ({ event, context }) => {
    const { teamId } = context;
    if (event.tab !== 'home' || teamId === undefined) return;
    await publish({ teamId, userId: event.user }, false);
  });

  app.action<BlockAction<ButtonAction>>(actionIds.homeRefresh, async ({ ack, body, context }) => {
    await ack();
    const { teamId } = context;
    if (teamId === undefined) return;
    await publish({ teamId, userId: body.user.id }, true);
  });

  onClick(actionIds.homeVps, async (click) => {
    const chosen = vpsChoice.safeParse(click.value).data;
    const operation = chosen && catalogue.find(chosen.operation);
    if (operation) await dispatch.run(operation, parseInput(operation, { vps: chosen.vps }), click);
  });
}
