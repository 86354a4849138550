import { Hono } from 'hono';
import { z } from 'zod';
import { contract, pathOf } from '../../hosting/contract.ts';
import { permissions } from '../../hosting/endpoint.ts';
import { parseJson, readBody } from './body.ts';
import type { Call, LoggedCall } from './call-log.ts';
import { faultKinds } from './fault-kinds.ts';
import { faultOrder } from './faults.ts';
import { pageData } from './page/data.ts';
import { badRequest, notFound } from './refusal.ts';
import type { Service, ServiceEnv } from './service.ts';

const newKey = z.strictObject({
  key: z.string().regex(/^\S+$/, 'A key has no spaces'),
  permissions: z.array(z.enum(permissions)).optional(),
  quota: z.int().min(1).optional(),
});

/** What a VPS is made to read from now on, as `loadAt` has it: shares from 0 to 1, and bytes per second. What is left out is as usual. */
const pinnedLoad = z.strictObject({
  vps: z.string(),
  load: z.partialRecord(z.enum(['cpu', 'mem', 'disk', 'netin', 'netout']), z.number().min(0)),
});

function read<Schema extends z.ZodType>(schema: Schema, bodyText: string): z.output<Schema> {
  const result = z.safeParse(schema, parseJson(bodyText));
  if (result.success) return result.data;
  const complaints = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw badRequest(complaints.join('; '));
}

function documented({ at, method, path, query, body, status, key }: Call): LoggedCall {
  return { at, method, path, query, body, status, key };
}

/** What waits, what struck, and what there is to choose from. */
function describeFaults({ faults, options }: Service): object {
  return {
    waiting: faults.waiting(),
    struck: faults.struck(),
    kinds: faultKinds,
    routes: Object.values(contract).map((endpoint) => ({
      method: endpoint.method,
      path: pathOf(endpoint, options.openPaths),
      summary: endpoint.summary,
    })),
  };
}

/** Creates the control API, with which tests and scripts look at the service and interfere with it. It needs no key. */
export function createControl(service: Service): Hono<ServiceEnv> {
  const { calls, faults, happenings, keyring } = service;
  const control = new Hono<ServiceEnv>();

  control.use(readBody());

  control.get('/calls', (context) => context.json({ calls: calls.all().map(documented) }));

  control.get('/faults', (context) => context.json(describeFaults(service)));

  control.delete('/faults', (context) => {
    faults.callOff();
    return context.json(describeFaults(service));
  });

  control.post('/faults', (context) => {
    faults.arm(read(faultOrder, context.get('bodyText')));
    return context.json({ faults: faults.armed() });
  });

  control.post('/keys', (context) => {
    const { key, permissions: held, quota } = keyring.add(read(newKey, context.get('bodyText')));
    happenings.publish({ kind: 'keys' });
    return context.json({ key, permissions: held, quota });
  });

  control.post('/load', (context) => {
    const { vps, load } = read(pinnedLoad, context.get('bodyText'));
    service.account.machines.get(vps).pinned = { fromMs: service.options.now(), load };
    return context.json({ vps, load });
  });

  control.post('/reset', (context) => {
    service.reset();
    return context.json({ reset: true });
  });

  control.route('/', pageData(service));

  control.all('*', ({ req }) => {
    throw notFound(`The control API has no ${req.method} ${req.path}.`);
  });

  return control;
}
