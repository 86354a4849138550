import { Hono } from 'hono';
import { z } from 'zod';
import type { Change } from '../changes.ts';
import type { Core } from '../core.ts';
import { maxLines } from '../delivery/traffic.ts';
import type { TrafficEvent, TrafficLine } from '../delivery/traffic-lines.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import { answerEvents } from './event-stream.ts';
import { messagesQuery, messagesSeen } from './messages-seen.ts';
import { actorOf, personFields, readQuery, teamField, workspaceOf } from './requests.ts';
import { workspaceFacts } from './workspace-facts.ts';

const teamQuery = z.object(teamField);
const personQuery = z.object(personFields);

/** Serves what people see, and what went between Slack and the app. */
export function lookRoutes(core: Core): Hono {
  return new Hono()
    .get('/workspace', (c) => {
      const { team } = readQuery(c, teamQuery);
      return c.json(workspaceFacts(core, workspaceOf(core, team)));
    })
    .get('/messages', (c) => c.json({ messages: messagesSeen(core, readQuery(c, messagesQuery)) }))
    .get('/views', (c) => {
      const { workspace, person } = actorOf(core, readQuery(c, personQuery));
      const home = workspace.views.homeOf(person.id);
      return c.json({
        modals: workspace.views.stackOf(person.id).map((view) => viewFacts(workspace, view, view.values)),
        home: home ? viewFacts(workspace, home, home.values) : null,
      });
    })
    .get('/events', (c) => {
      const { team } = workspaceOf(core, readQuery(c, teamQuery).team);
      return answerEvents(c, (say) => {
        say({ kind: 'alive' });
        return core.changes.subscribe((change) => change.team === team.id && say(summaryOf(change)));
      });
    })
    .get('/traffic', (c) => c.json({ traffic: core.traffic.list() }))
    .get('/traffic/events', (c) => {
      const { team } = workspaceOf(core, readQuery(c, teamQuery).team);
      const concerns = (line: TrafficLine) => line.team === null || line.team === team.id;
      return answerEvents(c, (answer) => {
        const say = (event: TrafficEvent) => answer(event);
        const begin = (lines: readonly TrafficLine[]) => say({ kind: 'begin', limit: maxLines, lines });
        begin(core.traffic.lines().filter(concerns));
        return core.traffic.subscribe((line) => {
          if (!line) begin([]);
          else if (concerns(line)) say({ kind: 'line', line });
        });
      });
    })
    .get('/guide', (c) => c.json(core.guide.facts()))
    .post('/guide/restart', (c) => {
      core.guide.restart();
      return c.json(core.guide.facts());
    });
}

/** What a page has to read again; the change itself is not told, for not everybody sees it. */
function summaryOf(change: Change): object {
  const { kind } = change;
  return {
    kind: kind.startsWith('message_') ? 'message' : kind,
    ...('channel' in change && { channel: change.channel }),
    ...messageOf(change),
    ...('user' in change && { user: change.user }),
  };
}

function messageOf(change: Change): object {
  const message = 'message' in change ? change.message : 'previous' in change ? change.previous : undefined;
  if (!message) return {};
  const { ts, thread_ts } = message;
  return { ts, ...(thread_ts !== undefined && thread_ts !== ts && { thread_ts }) };
}
