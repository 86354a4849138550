import { Hono } from 'hono';
import { z } from 'zod';
import { findApp } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import { runFunction } from '../functions/run-function.ts';
import type { ComposerInput } from '../interactions/composer/composer.ts';
import { assertCanType } from '../interactions/composer/composer.ts';
import { prependAppMention, sendMessage } from '../interactions/composer/send-message.ts';
import { runSlashCommand } from '../interactions/composer/slash-command.ts';
import { clickElement } from '../interactions/elements/click-element.ts';
import {
  type InteractionSurface,
  resolveView,
  resolveVisibleMessage,
} from '../interactions/elements/interaction-surface.ts';
import { suggestOptions } from '../interactions/elements/suggest-options.ts';
import { InvalidActionError } from '../interactions/invalid-action-error.ts';
import { deleteMessage, editMessage, toggleReaction } from '../interactions/message-actions.ts';
import { openAssistant } from '../interactions/open-assistant.ts';
import { runShortcut } from '../interactions/run-shortcut.ts';
import { closeView } from '../interactions/views/close-view.ts';
import { openHome } from '../interactions/views/open-home.ts';
import { submitView } from '../interactions/views/submit-view.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type ActorReference,
  personFields,
  readBody,
  resolveActor,
  resolveChannel,
  resolveWorkspace,
} from './requests.ts';

const typedBody = z.object({
  ...personFields,
  channel: z.string(),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  smart_punctuation: z.boolean().default(true),
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

/**
 * Serves people's actions, such as typing, clicking, filling in and closing. Each request waits for
 * the result.
 */
export function userActionRoutes(core: Core): Hono {
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
  const typed = { person, channel, text, threadTs, smartPunctuation };
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
