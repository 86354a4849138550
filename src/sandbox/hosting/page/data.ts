import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Call } from '../call-log.ts';
import { notFound } from '../refusal.ts';
import type { Service, ServiceEnv } from '../service.ts';
import { overview, passingState } from './overview.ts';

/** How many calls the page begins with. */
const callsShown = 500;

/** How often it is looked whether a state has passed: less than a person notices. */
const lookEveryMs = 250;
const heartbeatMs = 15_000;

/** A call in the list: without its bodies. */
function summarize({ id, at, method, path, status, key, tookMs, isOverQuota, fault }: Call) {
  return { id, at, method, path, status, key, took_ms: tookMs, is_over_quota: isOverQuota, fault };
}

/** Serves what the page shows, under the control API: the state, the calls with their bodies, and what happens. */
export function pageData(service: Service): Hono<ServiceEnv> {
  const { calls, happenings } = service;
  return new Hono<ServiceEnv>()
    .get('/overview', (context) =>
      context.json({ ...overview(service), calls: calls.all().slice(-callsShown).map(summarize) }),
    )
    .get('/calls/:id{\\d+}', (context) => {
      const call = calls.find(Number(context.req.param('id')));
      if (!call) throw notFound(`There is no call ${context.req.param('id')}.`);
      happenings.publish({ kind: 'looked', call });
      const { query, body, answer } = call;
      return context.json({ call: { ...summarize(call), query, body, answer } });
    })
    .get('/events', (context) =>
      streamSSE(context, async (stream) => {
        const say = (event: object) => void stream.writeSSE({ data: JSON.stringify(event) });
        const stop = happenings.subscribe((happening) => {
          if (happening.kind === 'call') say({ kind: 'call', call: summarize(happening.call) });
          else if (happening.kind !== 'looked') say(happening);
        });
        let known = passingState(service);
        const look = setInterval(() => {
          const state = passingState(service);
          if (state !== known) say({ kind: 'state' });
          known = state;
        }, lookEveryMs);
        const heartbeat = setInterval(() => say({ kind: 'alive' }), heartbeatMs);
        say({ kind: 'alive' });
        await new Promise<void>((resolve) => stream.onAbort(resolve));
        clearInterval(look);
        clearInterval(heartbeat);
        stop();
      }),
    );
}
