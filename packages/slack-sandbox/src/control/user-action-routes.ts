import { Hono } from 'hono';
import { z } from 'zod';
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
import { personFields, readBody, resolveActor, resolveChannel } from './requests.ts';

const typedBody = z.object({
  ...personFields,
  channel: z.string(),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
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
      const { workspace, typed } = readComposerInput(core, body);
      return c.json(await runSlashCommand(core, workspace, body.command, typed));
    })
    .post('/mention', async (c) => {
      const { workspace, typed } = readComposerInput(core, await readBody(c, typedBody));
      return c.json(
        await sendMessage(core, workspace, { ...typed, text: prependAppMention(workspace, typed.text) }),
      );
    })
    .post('/message', async (c) => {
      const { workspace, typed } = readComposerInput(core, await readBody(c, typedBody));
      return c.json(await sendMessage(core, workspace, typed));
    })
    .post('/click', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, value: z.unknown().optional() }),
      );
      const { workspace, person } = resolveActor(core, body);
      const surface = resolveSurface(core, workspace, person, body);
      const press = { actionId: body.action_id, blockId: body.block_id, value: body.value };
      return c.json(await clickElement(core, workspace, person, surface, press));
    })
    .post('/suggest', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, text: z.string().default('') }),
      );
      const { workspace, person } = resolveActor(core, body);
      const surface = resolveSurface(core, workspace, person, body);
      const question = { actionId: body.action_id, blockId: body.block_id, text: body.text };
      return c.json(await suggestOptions(core, workspace, person, surface, question));
    })
    .post('/submit', async (c) => {
      const schema = z.object({ ...viewFields, values: z.record(z.string(), z.unknown()).default({}) });
      const body = await readBody(c, schema);
      const { workspace, person } = resolveActor(core, body);
      return c.json(
        await submitView(core, workspace, person, resolveView(workspace, person, body.view), body.values),
      );
    })
    .post('/close', async (c) => {
      const body = await readBody(c, z.object(viewFields));
      const { workspace, person } = resolveActor(core, body);
      const view = resolveView(workspace, person, body.view);
      if (view.type === 'home') throw new InvalidActionError('A Home tab cannot be closed');
      return c.json(await closeView(core, workspace, person, view));
    })
    .post('/shortcut', async (c) => {
      const body = await readBody(c, z.object({ ...surfaceFields, callback_id: z.string() }));
      const { workspace, person } = resolveActor(core, body);
      const message = body.ts === undefined ? undefined : resolveMessage(core, workspace, person, body);
      return c.json(await runShortcut(core, workspace, person, body.callback_id, message));
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
      const { workspace, person } = resolveActor(core, body);
      const context =
        body.channel === undefined ? undefined : resolveChannel(core, workspace, person, body.channel).id;
      return c.json(openAssistant(core, workspace, person, context));
    })
    .post('/run-function', async (c) => {
      const body = await readBody(c, functionBody);
      const { workspace, person } = resolveActor(core, body);
      return c.json(await runFunction(core, workspace, person, body.callback_id, body.inputs));
    })
    .post('/home', async (c) => {
      const { workspace, person } = resolveActor(core, await readBody(c, z.object(personFields)));
      return c.json(await openHome(core, workspace, person));
    });
}

function readComposerInput(
  core: Core,
  body: z.output<typeof typedBody>,
): { workspace: Workspace; typed: ComposerInput } {
  const { workspace, person } = resolveActor(core, body);
  const channel = resolveChannel(core, workspace, person, body.channel);
  const typed = { person, channel, text: body.text, threadTs: body.thread_ts };
  assertCanType(core.manifest, typed);
  return { workspace, typed };
}

interface SurfaceReference {
  readonly view?: string | undefined;
  readonly channel?: string | undefined;
  readonly ts?: string | undefined;
}

function resolveSurface(
  core: Core,
  workspace: Workspace,
  person: Person,
  place: SurfaceReference,
): InteractionSurface {
  if (place.view !== undefined) return { kind: 'view', view: resolveView(workspace, person, place.view) };
  return resolveMessage(core, workspace, person, place);
}

function resolveMessage(core: Core, workspace: Workspace, person: Person, { channel, ts }: SurfaceReference) {
  if (channel === undefined || ts === undefined)
    throw new InvalidActionError('Name a view, or a channel and a ts');
  return resolveVisibleMessage(workspace, person, resolveChannel(core, workspace, person, channel), ts);
}
