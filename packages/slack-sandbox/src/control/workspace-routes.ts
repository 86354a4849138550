import { Hono } from 'hono';
import { z } from 'zod';
import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { changeContext } from '../interactions/change-context.ts';
import { clickEntityButton } from '../interactions/click-entity-button.ts';
import { resolveVisibleMessage } from '../interactions/elements/interaction-surface.ts';
import { InvalidActionError } from '../interactions/invalid-action-error.ts';
import { openEntity } from '../interactions/open-entity.ts';
import { stopAgent } from '../interactions/stop-agent.ts';
import { changeProfile } from '../people/change-profile.ts';
import { snooze } from '../people/do-not-disturb.ts';
import { changeTeam } from '../workspace-actions/change-team.ts';
import { changeUserGroup } from '../workspace-actions/change-user-group.ts';
import { deleteChannel } from '../workspace-actions/delete-channel.ts';
import { shareChannel } from '../workspace-actions/share-channel.ts';
import {
  personFields,
  readBody,
  resolveActor,
  resolveChannel,
  resolveWorkspace,
  teamField,
} from './requests.ts';

const place = { ...personFields, channel: z.string() };
const message = { ...place, ts: z.string() };
const teamBody = z.object({
  ...teamField,
  name: z.string().min(1).max(80).optional(),
  domain: z
    .string()
    .regex(/^[a-z0-9-]{1,21}$/)
    .optional(),
  email_domain: z.string().optional(),
});

/** Serves what people change in Slack's own menus: profiles, notifications, emoji, channels, user groups and the workspace. */
export function workspaceRoutes(core: Core): Hono {
  return new Hono()
    .post('/profile', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...personFields, profile: z.record(z.string(), z.unknown()) }),
      );
      const { app, workspace, person } = resolveActor(core, body);
      changeProfile(app, workspace, person, body.profile);
      return c.json({});
    })
    .post('/snooze', async (c) => {
      const body = await readBody(c, z.object({ ...personFields, minutes: z.number().int().nonnegative() }));
      const { app, workspace, person } = resolveActor(core, body);
      snooze(app, workspace, person.id, body.minutes);
      return c.json({});
    })
    .post('/emoji', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...teamField, name: z.string().min(1), value: z.string().nullable() }),
      );
      const workspace = resolveWorkspace(core, body.team);
      const { name, value } = body;
      if (value === null) workspace.customEmoji.delete(name);
      else workspace.customEmoji.set(name, value);
      const change = value === null ? { subtype: 'remove', names: [name] } : { subtype: 'add', name, value };
      announceEvent(core, workspace, {
        event: { type: 'emoji_changed', ...change, event_ts: core.ids.ts() },
      });
      return c.json({});
    })
    .post('/user-group', async (c) => {
      const body = await readBody(c, z.object({ ...personFields, group: z.string(), disabled: z.boolean() }));
      const { app, workspace, person } = resolveActor(core, body);
      const group = workspace.groups.find(({ id, handle }) => body.group === id || body.group === handle);
      if (!group) throw new InvalidActionError(`No user group is called ${body.group}`, 404);
      changeUserGroup(app, workspace, group, person.id, { isDisabled: body.disabled });
      return c.json({});
    })
    .post('/workspace', async (c) => {
      const { team, app: _, ...change } = await readBody(c, teamBody);
      changeTeam(core, resolveWorkspace(core, team), change);
      return c.json({});
    })
    .post('/delete-channel', async (c) => {
      const body = await readBody(c, z.object(place));
      const { app, workspace, person } = resolveActor(core, body);
      deleteChannel(app, workspace, resolveChannel(app, workspace, person, body.channel), person.id);
      return c.json({});
    })
    .post('/share-channel', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...place, with: z.string(), shared: z.boolean().default(true) }),
      );
      const { app, workspace, person } = resolveActor(core, body);
      const channel = resolveChannel(app, workspace, person, body.channel);
      shareChannel(app, workspace, channel, body.with, body.shared);
      return c.json({});
    })
    .post('/reject-call', async (c) => {
      const body = await readBody(c, z.object({ ...place, call: z.string() }));
      const { app, workspace, person } = resolveActor(core, body);
      const call = workspace.calls.get(body.call);
      if (!call) throw new InvalidActionError(`There is no call ${body.call}`, 404);
      const { id: channel_id } = resolveChannel(app, workspace, person, body.channel);
      const facts = {
        call_id: call.id,
        user_id: person.id,
        channel_id,
        external_unique_id: call.externalUniqueId,
      };
      await app.events.send(workspace, { event: { type: 'call_rejected', ...facts } });
      return c.json({});
    })
    .post('/open-entity', async (c) => {
      const body = await readBody(c, z.object({ ...message, entity: z.string() }));
      const { app, workspace, person } = resolveActor(core, body);
      const channel = resolveChannel(app, workspace, person, body.channel);
      const surface = resolveVisibleMessage(workspace, person, channel, body.ts);
      return c.json(await openEntity(app, workspace, person, surface, body.entity));
    })
    .post('/click-entity', async (c) => {
      const fields = { entity: z.string(), action_id: z.string(), value: z.string().optional() };
      const body = await readBody(c, z.object({ ...message, ...fields }));
      const { app, workspace, person } = resolveActor(core, body);
      const channel = resolveChannel(app, workspace, person, body.channel);
      const surface = resolveVisibleMessage(workspace, person, channel, body.ts);
      const click = { entity: body.entity, actionId: body.action_id, value: body.value };
      return c.json(await clickEntityButton(app, workspace, person, surface, click));
    })
    .post('/look-at', async (c) => {
      const body = await readBody(c, z.object(place));
      const { app, workspace, person } = resolveActor(
        core,
        body,
        ({ manifest }) => manifest.isAgent || manifest.isAssistant,
      );
      const channel = resolveChannel(app, workspace, person, body.channel);
      return c.json(await changeContext(app, workspace, person, channel));
    })
    .post('/stop-agent', async (c) => {
      const body = await readBody(c, z.object({ ...place, thread_ts: z.string() }));
      const { app, workspace, person } = resolveActor(core, body, ({ manifest }) => manifest.isAgent);
      const channel = resolveChannel(app, workspace, person, body.channel);
      return c.json(await stopAgent(app, workspace, person, channel, body.thread_ts));
    })
    .get('/agent-sessions', (c) => {
      const { team } = c.req.query();
      const all = core.apps().map((app) => resolveWorkspace(app, team));
      return c.json({ sessions: all.flatMap(({ agentSessions }) => agentSessions.list()) });
    })
    .get('/entity-details', (c) => {
      const { team } = c.req.query();
      const opened = resolveWorkspace(core, team).openedEntities;
      return c.json({ opened: [...opened].map(([trigger_id, facts]) => ({ trigger_id, ...facts })) });
    });
}
