import { Hono } from 'hono';
import { z } from 'zod';
import { contract, resolvePath } from '../../hosting/endpoints/contract.ts';
import { permissions } from '../../hosting/endpoints/endpoint.ts';
import { badRequest, notFound } from './api-error.ts';
import type { CallLogEntry, LoggedCall } from './call-log.ts';
import { faultKinds } from './faults/fault-kinds.ts';
import { faultRequestSchema } from './faults/fault-queue.ts';
import { createPageDataRoutes } from './page/data-routes.ts';
import { pageStyles } from './paging.ts';
import { parseJson, readBody } from './request-body.ts';
import type { Service, ServiceEnv } from './service.ts';

const newKeySchema = z.strictObject({
  key: z.string().regex(/^\S+$/, 'A key must not contain spaces'),
  permissions: z.array(z.enum(permissions)).optional(),
  quota: z.int().min(1).optional(),
});

/**
 * Overrides for a VPS's metrics, in the form that `loadAt` returns: shares from 0 to 1, and bytes per second.
 * Omitted metrics aren't overridden.
 */
const loadOverrideSchema = z.strictObject({
  vps: z.string(),
  load: z.partialRecord(z.enum(['cpu', 'mem', 'disk', 'netin', 'netout']), z.number().min(0)),
});

const renameSchema = z.strictObject({ vps: z.string(), hostname: z.string() });

const pagingSchema = z.strictObject({
  /** 0 turns paging off. */
  size: z.int().min(0),
  style: z.enum(pageStyles).default('numbers'),
});

function parseBody<Schema extends z.ZodType>(schema: Schema, bodyText: string): z.output<Schema> {
  const result = z.safeParse(schema, parseJson(bodyText));
  if (result.success) return result.data;
  const complaints = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw badRequest(complaints.join('; '));
}

function toLoggedCall({ at, method, path, query, body, status, key }: CallLogEntry): LoggedCall {
  return { at, method, path, query, body, status, key };
}

/** Returns the pending faults, the triggered faults, and all kinds of faults. */
function describeFaults({ faults, options }: Service): object {
  return {
    waiting: faults.pending(),
    struck: faults.triggered(),
    kinds: faultKinds,
    routes: Object.values(contract).map((endpoint) => ({
      method: endpoint.method,
      path: resolvePath(endpoint, options.pathOverrides),
      summary: endpoint.summary,
    })),
  };
}

/** Creates the control API, which lets tests and scripts inspect and change the service. It needs no key. */
export function createControlApi(service: Service): Hono<ServiceEnv> {
  const { calls, faults, events, keyring } = service;
  const control = new Hono<ServiceEnv>();

  control.use(readBody());

  control.get('/calls', (context) => context.json({ calls: calls.all().map(toLoggedCall) }));

  control.get('/faults', (context) => context.json(describeFaults(service)));

  control.delete('/faults', (context) => {
    faults.cancelPending();
    return context.json(describeFaults(service));
  });

  control.post('/faults', (context) => {
    faults.arm(parseBody(faultRequestSchema, context.get('bodyText')));
    return context.json({ faults: faults.armed() });
  });

  control.post('/keys', (context) => {
    const { key, permissions: held, quota } = keyring.add(parseBody(newKeySchema, context.get('bodyText')));
    events.publish({ kind: 'keys' });
    return context.json({ key, permissions: held, quota });
  });

  control.post('/load', (context) => {
    const { vps, load } = parseBody(loadOverrideSchema, context.get('bodyText'));
    service.account.vps.get(vps).loadOverride = { fromMs: service.options.now(), load };
    return context.json({ vps, load });
  });

  control.post('/hostname', (context) => {
    const { vps, hostname } = parseBody(renameSchema, context.get('bodyText'));
    service.account.vps.get(vps).hostname = hostname;
    return context.json({ vps, hostname });
  });

  control.post('/pages', (context) => {
    service.paging = parseBody(pagingSchema, context.get('bodyText'));
    return context.json(service.paging);
  });

  control.post('/reset', (context) => {
    service.reset();
    return context.json({ reset: true });
  });

  control.route('/', createPageDataRoutes(service));

  control.all('*', ({ req }) => {
    throw notFound(`The control API has no ${req.method} ${req.path}.`);
  });

  return control;
}
