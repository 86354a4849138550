import { Hono } from 'hono';
import { z } from 'zod';
import type { Core } from '../core.ts';
import { click } from '../interactions/click.ts';
import { close } from '../interactions/close.ts';
import { requireComposer } from '../interactions/composer.ts';
import { Impossible } from '../interactions/impossible.ts';
import { openHome } from '../interactions/open-home.ts';
import { mentioning, say } from '../interactions/say.ts';
import { shortcut } from '../interactions/shortcut.ts';
import { slash, type Typed } from '../interactions/slash.ts';
import { submit } from '../interactions/submit.ts';
import { suggest } from '../interactions/suggest.ts';
import { messageSeen, type Surface, viewSeen } from '../interactions/surface.ts';
import type { Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import { actorOf, channelOf, personFields, readBody } from './requests.ts';

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
const viewFields = { ...personFields, view: z.string() };

/** Serves what people do: type, press, fill in, close. Each waits for what comes of it. */
export function actRoutes(core: Core): Hono {
  return new Hono()
    .post('/slash', async (c) => {
      const body = await readBody(c, typedBody.extend({ command: z.string().startsWith('/') }));
      const { workspace, typed } = typedBy(core, body);
      return c.json(await slash(core, workspace, body.command, typed));
    })
    .post('/mention', async (c) => {
      const { workspace, typed } = typedBy(core, await readBody(c, typedBody));
      return c.json(await say(core, workspace, { ...typed, text: mentioning(workspace, typed.text) }));
    })
    .post('/message', async (c) => {
      const { workspace, typed } = typedBy(core, await readBody(c, typedBody));
      return c.json(await say(core, workspace, typed));
    })
    .post('/click', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, value: z.unknown().optional() }),
      );
      const { workspace, person } = actorOf(core, body);
      const surface = surfaceOf(core, workspace, person, body);
      const press = { actionId: body.action_id, blockId: body.block_id, value: body.value };
      return c.json(await click(core, workspace, person, surface, press));
    })
    .post('/suggest', async (c) => {
      const body = await readBody(
        c,
        z.object({ ...surfaceFields, ...elementFields, text: z.string().default('') }),
      );
      const { workspace, person } = actorOf(core, body);
      const surface = surfaceOf(core, workspace, person, body);
      const question = { actionId: body.action_id, blockId: body.block_id, text: body.text };
      return c.json(await suggest(core, workspace, person, surface, question));
    })
    .post('/submit', async (c) => {
      const schema = z.object({ ...viewFields, values: z.record(z.string(), z.unknown()).default({}) });
      const body = await readBody(c, schema);
      const { workspace, person } = actorOf(core, body);
      return c.json(
        await submit(core, workspace, person, viewSeen(workspace, person, body.view), body.values),
      );
    })
    .post('/close', async (c) => {
      const body = await readBody(c, z.object(viewFields));
      const { workspace, person } = actorOf(core, body);
      const view = viewSeen(workspace, person, body.view);
      if (view.type === 'home') throw new Impossible('A Home tab cannot be closed');
      return c.json(await close(core, workspace, person, view));
    })
    .post('/shortcut', async (c) => {
      const body = await readBody(c, z.object({ ...surfaceFields, callback_id: z.string() }));
      const { workspace, person } = actorOf(core, body);
      const message = body.ts === undefined ? undefined : messageOf(core, workspace, person, body);
      return c.json(await shortcut(core, workspace, person, body.callback_id, message));
    })
    .post('/home', async (c) => {
      const { workspace, person } = actorOf(core, await readBody(c, z.object(personFields)));
      return c.json(await openHome(core, workspace, person));
    });
}

function typedBy(core: Core, body: z.output<typeof typedBody>): { workspace: Workspace; typed: Typed } {
  const { workspace, person } = actorOf(core, body);
  const channel = channelOf(core, workspace, person, body.channel);
  const typed = { person, channel, text: body.text, threadTs: body.thread_ts };
  requireComposer(core.manifest, typed);
  return { workspace, typed };
}

interface Place {
  readonly view?: string | undefined;
  readonly channel?: string | undefined;
  readonly ts?: string | undefined;
}

function surfaceOf(core: Core, workspace: Workspace, person: Person, place: Place): Surface {
  if (place.view !== undefined) return { kind: 'view', view: viewSeen(workspace, person, place.view) };
  return messageOf(core, workspace, person, place);
}

function messageOf(core: Core, workspace: Workspace, person: Person, { channel, ts }: Place) {
  if (channel === undefined || ts === undefined) throw new Impossible('Name a view, or a channel and a ts');
  return messageSeen(workspace, person, channelOf(core, workspace, person, channel), ts);
}
