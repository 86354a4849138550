import { Hono } from 'hono';
import { z } from 'zod';
import type { Core } from '../core.ts';
import { type Fault, isPendingFault, parseFault } from '../delivery/faults.ts';
import { disconnectReasons } from '../delivery/socket.ts';
import { tokensRevoked } from '../happenings.ts';
import { Impossible } from '../interactions/impossible.ts';
import type { JsonObject } from '../json.ts';
import { uninstall } from '../oauth/installing.ts';
import { methods } from '../web-api/methods.ts';
import type { Workspace } from '../world/workspace.ts';
import { readBody, readQuery, teamField, workspaceOf } from './requests.ts';

const clockBody = z.object({ advance_ms: z.number().int().nonnegative() });
const uninstallBody = z.object({ ...teamField, whole_organisation: z.boolean().default(false) });
const faultBody = z.object({ ...teamField, fault: z.string(), times: z.number().int().min(1).default(1) });

/** Serves what only a sandbox can do: move time, break things, begin again. */
export function leverRoutes(core: Core): Hono {
  return new Hono()
    .post('/clock', async (c) => {
      const { advance_ms } = await readBody(c, clockBody);
      core.advance(advance_ms);
      return c.json({ now: core.clock.now() });
    })
    .get('/faults', (c) => {
      const { team } = readQuery(c, z.object(teamField));
      return c.json(faultFacts(core, workspaceOf(core, team)));
    })
    .delete('/faults', (c) => {
      const { team } = readQuery(c, z.object(teamField));
      const workspace = workspaceOf(core, team);
      core.faults.callOff(workspace.team.id);
      return c.json(faultFacts(core, workspace));
    })
    .post('/faults', async (c) => {
      const { team, fault, times } = await readBody(c, faultBody);
      strike(core, workspaceOf(core, team), parseFault(fault), times);
      return c.json({ ok: true });
    })
    .post('/uninstall', async (c) => {
      const { team, whole_organisation } = await readBody(c, uninstallBody);
      const workspace = workspaceOf(core, team);
      if (!workspace.installedBy) throw new Impossible(`The app is not installed in ${team}`);
      uninstall(core, workspace, whole_organisation);
      return c.json({ ok: true });
    })
    .post('/reset', (c) => {
      core.reset();
      return c.json({ ok: true });
    });
}

/** What waits, what struck, and what there is to choose from. */
function faultFacts({ clock, faults }: Core, { team, tokenRevoked }: Workspace): JsonObject {
  return {
    waiting: faults.waiting(team.id),
    struck: faults.struck(team.id),
    token_revoked: tokenRevoked,
    now: clock.now(),
    methods: [...methods.keys()].sort(),
    disconnect_reasons: disconnectReasons,
  };
}

function strike(core: Core, workspace: Workspace, fault: Fault, times: number): void {
  const { faults, sockets } = core;
  const { name, detail } = fault;
  const team = workspace.team.id;
  const repeatedly = (act: () => boolean) => {
    for (let done = 0; done < times && act(); done += 1) faults.note(team, fault);
  };
  if (isPendingFault(name)) {
    requireDetail(fault);
    faults.add(team, fault, times);
  } else if (name === 'drop_socket') {
    repeatedly(sockets.drop);
  } else if (name === 'disconnect') {
    const reason = disconnectReasons.find((known) => known === (detail ?? 'refresh_requested'));
    if (!reason) throw new Impossible(`The reason is one of ${disconnectReasons.join(', ')}`);
    repeatedly(() => sockets.disconnect(reason));
  } else if (name === 'revoke') {
    workspace.tokenRevoked = true;
    faults.note(team, fault);
    tokensRevoked(core, workspace);
  } else {
    throw new Impossible(
      `The fault is one of ack_delay:MS, drop_socket, disconnect:REASON, duplicate, expire_trigger, ratelimit:METHOD, revoke`,
    );
  }
}

function requireDetail({ name, detail }: Fault): void {
  if (name === 'ack_delay' && !/^\d+$/.test(detail ?? ''))
    throw new Impossible('ack_delay:MS takes milliseconds');
  if (name === 'ratelimit' && !methods.has(detail ?? '')) {
    throw new Impossible(`ratelimit:METHOD takes a method, and there is no ${detail ?? 'name'}`);
  }
}
