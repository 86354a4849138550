import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { notFound } from '../api-error.ts';
import type { CallLogEntry } from '../call-log.ts';
import type { Service, ServiceEnv } from '../service.ts';
import { createOverview, createStateFingerprint } from './overview.ts';

/** Number of calls that the page loads at first. */
const maxCallsShown = 500;

/** How often state transitions are checked. Short enough to seem immediate. */
const statePollMs = 250;
const heartbeatMs = 15_000;

/** Returns a call without its bodies, for the list of calls. */
function summarize({ id, at, method, path, status, key, tookMs, isOverQuota, fault }: CallLogEntry) {
  return { id, at, method, path, status, key, took_ms: tookMs, is_over_quota: isOverQuota, fault };
}

/** Serves the page's data as part of the control API: the state, the calls with their bodies, and events. */
export function createPageDataRoutes(service: Service): Hono<ServiceEnv> {
  const { calls, events } = service;
  return new Hono<ServiceEnv>()
    .get('/overview', (context) =>
      context.json({ ...createOverview(service), calls: calls.all().slice(-maxCallsShown).map(summarize) }),
    )
    .get('/calls/:id{\\d+}', (context) => {
      const call = calls.find(Number(context.req.param('id')));
      if (!call) throw notFound(`There is no call ${context.req.param('id')}.`);
      events.publish({ kind: 'opened', call });
      const { query, body, answer } = call;
      return context.json({ call: { ...summarize(call), query, body, answer } });
    })
    .get('/events', (context) =>
      streamSSE(context, async (stream) => {
        const say = (event: object) => void stream.writeSSE({ data: JSON.stringify(event) });
        const stop = events.subscribe((event) => {
          if (event.kind === 'call') say({ kind: 'call', call: summarize(event.call) });
          else if (event.kind !== 'opened') say(event);
        });
        let known = createStateFingerprint(service);
        const look = setInterval(() => {
          const state = createStateFingerprint(service);
          if (state !== known) say({ kind: 'state' });
          known = state;
        }, statePollMs);
        const heartbeat = setInterval(() => say({ kind: 'alive' }), heartbeatMs);
        say({ kind: 'alive' });
        await new Promise<void>((resolve) => stream.onAbort(resolve));
        clearInterval(look);
        clearInterval(heartbeat);
        stop();
      }),
    );
}
