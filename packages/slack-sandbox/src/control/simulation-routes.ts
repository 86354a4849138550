import { Hono } from 'hono';
import { z } from 'zod';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import { blockSurfaces } from '../block-kit/surfaces.ts';
import type { Core } from '../core.ts';
import { sendTokensRevoked } from '../delivery/app-events.ts';
import { type Fault, isPendingFaultName, parseFault } from '../delivery/fault-queue.ts';
import { disconnectReasons } from '../delivery/socket-transport.ts';
import type { JsonObject } from '../json.ts';
import { grantAccess, uninstallApp } from '../oauth/installation.ts';
import { webApiMethods } from '../web-api/web-api-methods.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { personSchema } from '../world/world-schema.ts';
import { readBody, readQuery, resolveApp, resolveWorkspace, teamField } from './requests.ts';
import { setPerson } from './set-person.ts';

/** The types of blocks that messages can have. */
const messageBlockTypes: ReadonlySet<string> = new Set(
  Object.entries(blockSurfaces).flatMap(([type, surfaces]) =>
    surfaces.some((surface) => surface === 'message') ? [type] : [],
  ),
);

const clockBody = z.object({ advance_ms: z.number().int().nonnegative() });
const uninstallBody = z.object({ ...teamField, whole_organisation: z.boolean().default(false) });
const personBody = personSchema.extend({
  ...teamField,
  role: z.enum(['owner', 'member', 'guest', 'deactivated']).default('member'),
});
const faultBody = z.object({ ...teamField, fault: z.string(), times: z.number().int().min(1).default(1) });

const answerBody = z.object({
  method: z.string().min(1),
  answer: z.record(z.string(), z.unknown()).nullable(),
});

/** Serves what only the sandbox can do: advance time, inject faults, answer methods that it lacks, reset. */
export function simulationRoutes(core: Core): Hono {
  return new Hono()
    .post('/clock', async (c) => {
      const { advance_ms } = await readBody(c, clockBody);
      core.advanceClock(advance_ms);
      return c.json({ now: core.clock.now() });
    })
    .get('/faults', (c) => {
      const { team, app } = readQuery(c, z.object(teamField));
      return c.json(toFaultStatus(core, resolveWorkspace(resolveApp(core, app), team)));
    })
    .delete('/faults', (c) => {
      const { team, app } = readQuery(c, z.object(teamField));
      const workspace = resolveWorkspace(resolveApp(core, app), team);
      core.faults.cancelPending(workspace.team.id);
      return c.json(toFaultStatus(core, workspace));
    })
    .post('/faults', async (c) => {
      const { team, app, fault, times } = await readBody(c, faultBody);
      const own = resolveApp(core, app);
      injectFault(own, resolveWorkspace(own, team), parseFault(fault), times);
      return c.json({ ok: true });
    })
    .post('/answers', async (c) => {
      const { method, answer } = await readBody(c, answerBody);
      if (webApiMethods.has(method)) {
        throw new InvalidActionError(
          `The sandbox answers ${method} itself. Use faults to change what happens.`,
        );
      }
      if (answer) core.givenAnswers.set(method, { ok: true, ...answer });
      else core.givenAnswers.delete(method);
      return c.json({ ok: true });
    })
    .post('/uninstall', async (c) => {
      const { team, app, whole_organisation } = await readBody(c, uninstallBody);
      const own = resolveApp(core, app);
      const workspace = resolveWorkspace(own, team);
      if (!workspace.installedBy)
        throw new InvalidActionError(`The app is not installed in ${workspace.team.id}`);
      uninstallApp(own, workspace, whole_organisation);
      return c.json({ ok: true });
    })
    .post('/grant-access', async (c) => {
      const { team, app } = await readBody(c, z.object(teamField));
      const own = resolveApp(core, app);
      grantAccess(own, resolveWorkspace(own, team));
      return c.json({ ok: true });
    })
    .post('/person', async (c) => {
      const { team, app: _, ...facts } = await readBody(c, personBody);
      return c.json({ id: setPerson(core, resolveWorkspace(core, team), facts) });
    })
    .post('/reset', (c) => {
      core.reset();
      return c.json({ ok: true });
    });
}

/** Returns the pending faults, the triggered faults, and all kinds of faults. */
function toFaultStatus({ clock, faults }: Core, { team, isTokenRevoked }: Workspace): JsonObject {
  return {
    waiting: faults.pending(team.id),
    struck: faults.triggered(team.id),
    token_revoked: isTokenRevoked,
    now: clock.now(),
    methods: [...webApiMethods.keys()].sort(),
    block_types: [...messageBlockTypes],
    disconnect_reasons: disconnectReasons,
  };
}

function injectFault(core: Core, workspace: Workspace, fault: Fault, times: number): void {
  const { faults, sockets } = core;
  const { name, detail } = fault;
  const team = workspace.team.id;
  const repeatedly = (act: () => boolean) => {
    for (let done = 0; done < times && act(); done += 1) faults.recordTriggered(team, fault);
  };
  if (isPendingFaultName(name)) {
    assertFaultDetail(fault);
    faults.add(team, fault, times);
  } else if (name === 'drop_socket') {
    repeatedly(sockets.dropConnection);
  } else if (name === 'disconnect') {
    const reason = disconnectReasons.find((known) => known === (detail ?? 'refresh_requested'));
    if (!reason) throw new InvalidActionError(`The reason must be one of ${disconnectReasons.join(', ')}`);
    repeatedly(() => sockets.requestDisconnect(reason));
  } else if (name === 'revoke') {
    workspace.isTokenRevoked = true;
    faults.recordTriggered(team, fault);
    sendTokensRevoked(core, workspace);
  } else {
    throw new InvalidActionError(
      `The fault must be one of ack_delay:MS, drop_socket, disconnect:REASON, duplicate, expire_trigger, ratelimit:METHOD, refuse_block:TYPE, revoke`,
    );
  }
}

function assertFaultDetail({ name, detail }: Fault): void {
  if (name === 'ack_delay' && !/^\d+$/.test(detail ?? ''))
    throw new InvalidActionError('ack_delay:MS needs milliseconds');
  if (name === 'ratelimit' && !webApiMethods.has(detail ?? '')) {
    throw new InvalidActionError(`ratelimit:METHOD needs a method, and there is no ${detail ?? 'name'}`);
  }
  if (name === 'refuse_block' && !messageBlockTypes.has(detail ?? ''))
    throw new InvalidActionError(`refuse_block:TYPE needs a type of block in messages`);
}
