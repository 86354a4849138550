import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { Change } from '../changes.ts';
import type { Core } from '../core.ts';
import { Impossible } from '../interactions/impossible.ts';
import { valuesOn } from '../interactions/surface.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import { mayRead } from '../world/channels.ts';
import { withReplies } from '../world/messages.ts';
import { pingsIn } from '../world/pings.ts';
import { actorOf, channelOf, personFields, readQuery, teamField, workspaceOf } from './requests.ts';
import { workspaceFacts } from './workspace-facts.ts';

const teamQuery = z.object(teamField);
const personQuery = z.object(personFields);
const messagesQuery = z.object({
  ...personFields,
  channel: z.string(),
  reload: z.stringbool().default(false),
});

/** How often a listener hears something, so that a lost connection shows. */
const heartbeatMs = 15_000;

/** Serves what people see, and what went between Slack and the app. */
export function lookRoutes(core: Core): Hono {
  return new Hono()
    .get('/workspace', (c) => {
      const { team } = readQuery(c, teamQuery);
      return c.json(workspaceFacts(core, workspaceOf(core, team)));
    })
    .get('/messages', (c) => {
      const query = readQuery(c, messagesQuery);
      const { workspace, person } = actorOf(core, query);
      const channel = channelOf(core, workspace, person, query.channel);
      if (!mayRead(workspace, channel, person.id))
        throw new Impossible(`${person.id} cannot read ${channel.id}`);
      if (query.reload) workspace.messages.forgetEphemerals(person.id);
      const all = workspace.messages.list(channel.id);
      const messages = workspace.messages.seenBy(channel.id, person.id).map(({ message, ephemeral }) => {
        const values = valuesOn(
          { kind: 'message', channel, message, isEphemeral: ephemeral },
          workspace,
          person,
        );
        return {
          ...withReplies(message, all),
          ...(Object.keys(values).length > 0 && { state: { values } }),
          ...(ephemeral && { ephemeral }),
          pings: pingsIn(message),
        };
      });
      return c.json({ messages });
    })
    .get('/views', (c) => {
      const { workspace, person } = actorOf(core, readQuery(c, personQuery));
      const home = workspace.views.homeOf(person.id);
      return c.json({
        modals: workspace.views.stackOf(person.id).map((view) => viewFacts(workspace, view, view.values)),
        home: home ? viewFacts(workspace, home, home.values) : null,
      });
    })
    .get('/traffic', (c) => c.json({ traffic: core.traffic.list() }))
    .get('/events', (c) => {
      const { team } = readQuery(c, teamQuery);
      workspaceOf(core, team);
      return streamSSE(c, async (stream) => {
        const say = (data: object) => void stream.writeSSE({ data: JSON.stringify(data) });
        const stop = core.changes.subscribe((change) => {
          if (change.team === team) say(summaryOf(change));
        });
        const heartbeat = setInterval(() => say({ kind: 'alive' }), heartbeatMs);
        say({ kind: 'alive' });
        await new Promise<void>((resolve) => stream.onAbort(resolve));
        clearInterval(heartbeat);
        stop();
      });
    });
}

/** What a page has to read again; the change itself is not told, for not everybody sees it. */
function summaryOf(change: Change): object {
  const { kind } = change;
  return {
    kind: kind.startsWith('message_') ? 'message' : kind,
    ...('channel' in change && { channel: change.channel }),
    ...('user' in change && { user: change.user }),
  };
}
