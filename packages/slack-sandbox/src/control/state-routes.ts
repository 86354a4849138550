import { Hono } from 'hono';
import { z } from 'zod';
import { type Change, waitForChange } from '../change-feed.ts';
import type { Core } from '../core.ts';
import { toExecutionSummary } from '../functions/function-executions.ts';
import type { TrafficEvent, TrafficLine } from '../traffic/traffic-lines.ts';
import { maxTrafficLines } from '../traffic/traffic-log.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import { listAppSettings } from './app-settings.ts';
import { streamEvents } from './event-stream.ts';
import {
  personFields,
  readQuery,
  resolveActor,
  resolveApp,
  resolveWorkspace,
  revision,
  teamField,
} from './requests.ts';
import { listVisibleMessages, messagesQuery } from './visible-messages.ts';
import { toWorkspaceSummary } from './workspace-summary.ts';

const teamQuery = z.object(teamField);
const personQuery = z.object(personFields);
const trafficQuery = z.object({ after: z.coerce.number().int().nonnegative().default(0) });
const changesQuery = z.object({ since: revision, wait_ms: z.coerce.number().int().nonnegative() });

/** Serves the state of workspaces that people can see, and the traffic between Slack and the app. */
export function stateRoutes(core: Core): Hono {
  return new Hono()
    .get('/workspace', (c) => {
      const { team, app } = readQuery(c, teamQuery);
      const own = resolveApp(core, app);
      return c.json(toWorkspaceSummary(own, resolveWorkspace(own, team)));
    })
    .get('/settings', (c) => {
      const { team, app } = readQuery(c, teamQuery);
      const own = resolveApp(core, app);
      return c.json({
        env: listAppSettings(own, resolveWorkspace(own, team)),
        bot_tokens: own.workspaces().map(({ token }) => token),
        apps: core.apps().map(({ manifest }) => manifest.name),
      });
    })
    .get('/messages', (c) => c.json({ messages: listVisibleMessages(core, readQuery(c, messagesQuery)) }))
    .get('/views', (c) => {
      const { workspace, person } = resolveActor(
        core,
        readQuery(c, personQuery),
        (app) => app.manifest.hasHomeTab,
      );
      const home = workspace.views.getHome(person.id);
      const all = core.apps().flatMap((app) => app.findWorkspace(workspace.team.id) ?? []);
      return c.json({
        modals: all.flatMap((own) =>
          own.views.getStack(person.id).map((view) => toViewObject(own, view, view.values)),
        ),
        home: home ? toViewObject(workspace, home, home.values) : null,
      });
    })
    .get('/assistant-threads', (c) => {
      const { team, app } = readQuery(c, teamQuery);
      const apps = app === undefined ? core.apps() : [resolveApp(core, app)];
      return c.json({ threads: apps.flatMap((own) => resolveWorkspace(own, team).assistantThreads.list()) });
    })
    .get('/function-executions', (c) => {
      const { team, app } = readQuery(c, teamQuery);
      const apps = app === undefined ? core.apps() : [resolveApp(core, app)];
      const executions = apps.flatMap((own) => [...resolveWorkspace(own, team).functionExecutions.values()]);
      return c.json({ executions: executions.map(toExecutionSummary) });
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
    })
    .get('/changes', async (c) => {
      const { since, wait_ms } = readQuery(c, changesQuery);
      await waitForChange(core.changes, since, wait_ms);
      return c.json({ revision: core.changes.revision() });
    })
    .get('/events', (c) => {
      const { team } = resolveWorkspace(core, readQuery(c, teamQuery).team);
      return streamEvents(c, (say) => {
        say({ kind: 'alive' });
        return core.changes.subscribe((change) => change.team === team.id && say(toChangeSummary(change)));
      });
    })
    .get('/traffic', (c) => {
      const { after } = readQuery(c, trafficQuery);
      return c.json({ traffic: core.traffic.listExchanges(after) });
    })
    .get('/traffic/events', (c) => {
      const { team } = resolveWorkspace(core, readQuery(c, teamQuery).team);
      const concerns = (line: TrafficLine) => line.team === null || line.team === team.id;
      return streamEvents(c, (answer) => {
        const say = (event: TrafficEvent) => answer(event);
        const begin = (lines: readonly TrafficLine[]) =>
          say({ kind: 'begin', limit: maxTrafficLines, lines });
        begin(core.traffic.listLines().filter(concerns));
        return core.traffic.subscribe((line) => {
          if (!line) begin([]);
          else if (concerns(line)) say({ kind: 'line', line });
        });
      });
    })
    .get('/guide', (c) => c.json(core.guide.status()))
    .post('/guide/restart', (c) => {
      core.guide.restart();
      return c.json(core.guide.status());
    });
}

/**
 * Returns which part a page must load again. The change itself is left out, because not everyone
 * is allowed to see it.
 */
function toChangeSummary(change: Change): object {
  const { kind } = change;
  return {
    kind: kind.startsWith('message_') ? 'message' : kind,
    ...('channel' in change && { channel: change.channel }),
    ...messageFields(change),
    ...('user' in change && { user: change.user }),
  };
}

function messageFields(change: Change): object {
  const message = 'message' in change ? change.message : 'previous' in change ? change.previous : undefined;
  if (!message) return {};
  const { ts, thread_ts } = message;
  return { ts, ...(thread_ts !== undefined && thread_ts !== ts && { thread_ts }) };
}
