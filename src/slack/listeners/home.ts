import type { App, BlockAction, ButtonAction, types } from '@slack/bolt';
import { z } from 'zod';
import { notPermitted } from '../../operations/runs/problem.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { actionIds } from '../actions.ts';
import { createOnClick } from '../clicks.ts';
import { homeNeed, readHomeFacts } from '../home/home-facts.ts';
import { closedHomeView, homeView } from '../home/home-view.ts';
import type { ListenerParts } from './parts.ts';

const vpsChoice = z
  .string()
  .regex(/^[^:]+:.+$/)
  .transform((value) => {
    const [operation = '', ...name] = value.split(':');
    return { operation, vps: name.join(':') };
  });

/** Listens to the App Home: shows it when it is opened, turns its pages, and runs what its menus offer. */
export function listenToHome(app: App, parts: ListenerParts): void {
  const { catalogue, dispatch, clients, access } = parts;
  const onClick = createOnClick(app, parts);

  async function publish(asker: Asker, page: number, isFresh: boolean): Promise<void> {
    const view = await viewFor(asker, page, isFresh);
    const client = await clients(asker.teamId);
    await client.views.publish({ user_id: asker.userId, view });
  }

  async function viewFor(asker: Asker, page: number, isFresh: boolean): Promise<types.HomeView> {
    const reach = await access(asker, {});
    const refusal = reach(homeNeed);
    if (refusal) return closedHomeView(notPermitted(refusal));
    return homeView(await readHomeFacts(asker, { ...parts, reach, now: Date.now }, isFresh), page);
  }

  app.event('app_home_opened', async ({ event, context }) => {
    const { teamId } = context;
    if (event.tab !== 'home' || teamId === undefined) return;
    const { page } = homeState(event.view?.private_metadata);
    await publish({ teamId, userId: event.user }, page, false);
  });

  app.action<BlockAction<ButtonAction>>(actionIds.homePage, async ({ ack, body, action, context }) => {
    await ack();
    const { teamId } = context;
    if (teamId === undefined) return;
    await publish(
      { teamId, userId: body.user.id },
      Number(action.value),
      action.action_id === 'home:refresh',
    );
  });

  onClick(actionIds.homeVps, async (value, asking) => {
    const chosen = vpsChoice.safeParse(value).data;
    const operation = chosen && catalogue.find(chosen.operation);
    if (operation) await dispatch.run(operation, { vps: chosen.vps }, asking);
  });
}

/** Reads which page the Home shows. */
function homeState(metadata: string | undefined): { page: number } {
  const state = z.object({ page: z.int().nonnegative() });
  try {
    return state.parse(JSON.parse(metadata ?? ''));
  } catch {
    return { page: 0 };
  }
}
