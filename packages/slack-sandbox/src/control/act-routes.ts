import { Hono } from 'hono';
import { z } from 'zod';
import { deleteChannel, shareChannel } from '../acts/change-channel.ts';
import { changeContext } from '../acts/change-context.ts';
import { deleteMessage, editMessage, toggleReaction } from '../acts/change-message.ts';
import { changeProfile } from '../acts/change-profile.ts';
import { changeTeam } from '../acts/change-team.ts';
import { changeUserGroup } from '../acts/change-user-group.ts';
import { clickElement } from '../acts/click-element.ts';
import { clickEntityButton } from '../acts/click-entity-button.ts';
import { closeView } from '../acts/close-view.ts';
import { snooze } from '../acts/do-not-disturb.ts';
import { type InteractionSurface, resolveView, resolveVisibleMessage } from '../acts/interaction-surface.ts';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import { openAssistant } from '../acts/open-assistant.ts';
import { openEntity } from '../acts/open-entity.ts';
import { openHome } from '../acts/open-home.ts';
import { runFunction } from '../acts/run-function.ts';
import { runShortcut } from '../acts/run-shortcut.ts';
import type { ComposerInput } from '../acts/send-message.ts';
import { assertCanType, prependAppMention, sendMessage } from '../acts/send-message.ts';
import { runSlashCommand } from '../acts/slash-command.ts';
import { stopAgent } from '../acts/stop-agent.ts';
import { submitView } from '../acts/submit-view.ts';
import { suggestOptions } from '../acts/suggest-options.ts';
import { resolveUploadedFile, uploadFile } from '../acts/upload-file.ts';
import { findApp } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import { announceEvent } from '../delivery/announce-event.ts';
import { toFileObject } from '../web-api/objects/file-object.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type ActorReference,
  personFields,
  readBody,
  resolveActor,
  resolveChannel,
  resolveWorkspace,
  teamField,
} from './requests.ts';

const typedBody = z.object({
  ...personFields,
  channel: z.string(),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  smart_punctuation: z.boolean().default(true),
  files: z.array(z.string()).default([]),
});
const uploadBody = z.object({
  ...personFields,
  name: z.string().min(1),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
  alt_txt: z.string().optional(),
});
const surfaceFields = {
  ...personFields,
  view: z.string().optional(),
  channel: z.string().optional(),
  ts: z.string().optional(),
};
const elementFields = { action_id: z.string(), block_id: z.string().optional() };
const functionBody = z.object({
  ...personFields,
  callback_id: z.string(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});
const viewFields = { ...personFields, view: z.string() };

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

/**
 * Serves what people do: typing, clicking, filling in and closing, and what they change in Slack's own
 * menus, such as profiles, channels and user groups. Each request waits for the result.
 */
export function actRoutes(core: Core): Hono {
  return new Hono()
    .post('/slash', async (c) => {
      const body = await readBody(c, typedBody.extend({ command: z.string().startsWith('/') }));
      const isDeclared = ({ manifest }: Core) =>
        manifest.commands.some(({ command }) => command === body.command);
      const { app, workspace, typed } = readComposerInput(core, body, isDeclared);
      return c.json(await runSlashCommand(app, workspace, body.command, typed));
    })
    .post('/mention', async (c) => {
      const { app, workspace, typed } = readComposerInput(core, await readBody(c, typedBody));
      return c.json(
        await sendMessage(app, workspace, { ...typed, text: prependAppMention(workspace, typed.text) }),
      );
    })
    .post('/message', async (c) => {
      const { app, workspace, typed } = readComposerInput(core, await readBody(c, typedBody));
      return c.json(await sendMessage(app, workspace, typed));
    })
    .post('/upload', async (c) => {
      const body = await readBody(c, uploadBody);
      const { app, workspace, person } = resolveActor(core, body);
      const facts = { name: body.name, altText: body.alt_txt };
      const file = uploadFile(app, workspace, person, facts, Buffer.from(body.content, body.encoding));
      return c.json({ file: toFileObject(app, workspace, file) });
    })
    .post('/click', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, value: z.unknown().optional() }),
      );
      const { app, workspace, person, surface } = resolveSurface(core, body);
      const press = { actionId: body.action_id, blockId: body.block_id, value: body.value };
      return c.json(await clickElement(app, workspace, person, surface, press));
    })
    .post('/suggest', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, text: z.string().default('') }),
      );
      const { app, workspace, person, surface } = resolveSurface(core, body);
      const question = { actionId: body.action_id, blockId: body.block_id, text: body.text };
      return c.json(await suggestOptions(app, workspace, person, surface, question));
    })
    .post('/submit', async (c) => {
      const schema = z.object({ ...viewFields, values: z.record(z.string(), z.unknown()).default({}) });
      const body = await readBody(c, schema);
      const { app, workspace, person, view } = resolveOwnedView(core, body);
      return c.json(await submitView(app, workspace, person, view, body.values));
    })
    .post('/close', async (c) => {
      const body = await readBody(c, z.object(viewFields));
      const { app, workspace, person, view } = resolveOwnedView(core, body);
      if (view.type === 'home') throw new InvalidActionError('A Home tab cannot be closed');
      return c.json(await closeView(app, workspace, person, view));
    })
    .post('/shortcut', async (c) => {
      const body = await readBody(c, z.object({ ...surfaceFields, callback_id: z.string() }));
      const { app, workspace, person } = resolveActor(core, body, ({ manifest }) =>
        manifest.shortcuts.some(({ callback_id }) => callback_id === body.callback_id),
      );
      const message = body.ts === undefined ? undefined : resolveMessage(app, workspace, person, body);
      return c.json(await runShortcut(app, workspace, person, body.callback_id, message));
    })
    .post('/react', async (c) => {
      const body = await readBody(c, z.object({ ...surfaceFields, name: z.string().min(1) }));
      const { workspace, person } = resolveActor(core, body);
      toggleReaction(core, workspace, person, resolveMessage(core, workspace, person, body), body.name);
      return c.json({});
    })
    .post('/edit', async (c) => {
      const body = await readBody(c, z.object({ ...surfaceFields, text: z.string() }));
      const { workspace, person } = resolveActor(core, body);
      editMessage(core, workspace, person, resolveMessage(core, workspace, person, body), body.text);
      return c.json({});
    })
    .post('/delete', async (c) => {
      const body = await readBody(c, z.object(surfaceFields));
      const { workspace, person } = resolveActor(core, body);
      deleteMessage(workspace, person, resolveMessage(core, workspace, person, body));
      return c.json({});
    })
    .post('/assistant', async (c) => {
      const body = await readBody(c, z.object({ ...personFields, channel: z.string().optional() }));
      const { app, workspace, person } = resolveActor(core, body, ({ manifest }) => manifest.isAssistant);
      const context =
        body.channel === undefined ? undefined : resolveChannel(app, workspace, person, body.channel).id;
      return c.json(openAssistant(app, workspace, person, context));
    })
    .post('/run-function', async (c) => {
      const body = await readBody(c, functionBody);
      const { app, workspace, person } = resolveActor(core, body, ({ manifest }) =>
        Object.hasOwn(manifest.functions, body.callback_id),
      );
      return c.json(await runFunction(app, workspace, person, body.callback_id, body.inputs));
    })
    .post('/home', async (c) => {
      const body = await readBody(c, z.object(personFields));
      const { app, workspace, person } = resolveActor(core, body, ({ manifest }) => manifest.hasHomeTab);
      return c.json(await openHome(app, workspace, person));
    })
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
    });
}

function readComposerInput(
  core: Core,
  body: z.output<typeof typedBody>,
  serves?: (app: Core) => boolean,
): { app: Core; workspace: Workspace; typed: ComposerInput } {
  const { app, workspace, person } = resolveActor(core, body, serves);
  const channel = resolveChannel(app, workspace, person, body.channel);
  const { text, thread_ts: threadTs, smart_punctuation: smartPunctuation } = body;
  const files = body.files.map((id) => resolveUploadedFile(workspace, person, id));
  const typed = { person, channel, text, threadTs, smartPunctuation, files };
  const isMember = (each: Core) =>
    channel.members.has(each.findWorkspace(workspace.team.id)?.bot.userId ?? '');
  const conversing = channel.kind === 'im' ? core.apps().find(isMember) : undefined;
  assertCanType((conversing ?? app).manifest, typed);
  return { app, workspace, typed };
}

interface SurfaceReference extends ActorReference {
  readonly view?: string | undefined;
  readonly channel?: string | undefined;
  readonly ts?: string | undefined;
}

/** Returns the view or message on which a person acts, and the app to which it belongs. */
function resolveSurface(core: Core, place: SurfaceReference) {
  if (place.view !== undefined) {
    const { view, ...actor } = resolveOwnedView(core, { ...place, view: place.view });
    const surface: InteractionSurface = { kind: 'view', view };
    return { ...actor, surface };
  }
  const { app, workspace, person } = resolveActor(core, place);
  const surface: InteractionSurface = resolveMessage(app, workspace, person, place);
  const owner = findApp(core.apps(), surface.message.app_id ?? '') ?? app;
  return { app: owner, workspace: resolveWorkspace(owner, workspace.team.id), person, surface };
}

function resolveOwnedView(core: Core, place: ActorReference & { readonly view: string }) {
  const isOwner = (app: Core) =>
    app.workspaces().some(({ views }) => views.findById(place.view) !== undefined);
  const { app, workspace, person } = resolveActor(core, { ...place, app: undefined }, isOwner);
  return { app, workspace, person, view: resolveView(workspace, person, place.view) };
}

function resolveMessage(
  core: Core,
  workspace: Workspace,
  person: Person,
  { channel, ts }: Pick<SurfaceReference, 'channel' | 'ts'>,
) {
  if (channel === undefined || ts === undefined)
    throw new InvalidActionError('Name a view, or a channel and a ts');
  return resolveVisibleMessage(workspace, person, resolveChannel(core, workspace, person, channel), ts);
}
