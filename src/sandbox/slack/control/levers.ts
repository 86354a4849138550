import { Hono } from 'hono';
import { z } from 'zod';
import type { Core } from '../core.ts';
import { type Fault, isPendingFault, parseFault } from '../delivery/faults.ts';
import { disconnectReasons } from '../delivery/socket.ts';
import { tokensRevoked } from '../happenings.ts';
import { Impossible } from '../interactions/impossible.ts';
import { methods } from '../web-api/methods.ts';
import type { Workspace } from '../world/workspace.ts';
import { readBody, teamField, workspaceOf } from './requests.ts';

const clockBody = z.object({ advance_ms: z.number().int().nonnegative() });
const faultBody = z.object({ ...teamField, fault: z.string(), times: z.number().int().min(1).default(1) });

/** Serves what only a sandbox can do: move time, break things, begin again. */
export function leverRoutes(core: Core): Hono {
  return new Hono()
    .post('/clock', async (c) => {
      const { advance_ms } = await readBody(c, clockBody);
      core.clock.advance(advance_ms);
      return c.json({ now: core.clock.now() });
    })
    .post('/faults', async (c) => {
      const { team, fault, times } = await readBody(c, faultBody);
      strike(core, workspaceOf(core, team), parseFault(fault), times);
      return c.json({ ok: true });
    })
    .post('/reset', (c) => {
      core.reset();
      return c.json({ ok: true });
    });
}

function strike(core: Core, workspace: Workspace, fault: Fault, times: number): void {
  const { name, detail } = fault;
  if (isPendingFault(name)) {
    requireDetail(fault);
    core.faults.add(workspace.team.id, fault, times);
  } else if (name === 'drop_socket') {
    for (let dropped = 0; dropped < times; dropped += 1) core.sockets.drop();
  } else if (name === 'disconnect') {
    const reason = disconnectReasons.find((known) => known === (detail ?? 'refresh_requested'));
    if (!reason) throw new Impossible(`The reason is one of ${disconnectReasons.join(', ')}`);
    for (let told = 0; told < times; told += 1) core.sockets.disconnect(reason);
  } else if (name === 'revoke') {
    workspace.tokenRevoked = true;
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
