import { Hono } from 'hono';
import { z } from 'zod';
import { permissions } from '../../hosting/endpoint.ts';
import { parseJson, readBody } from './body.ts';
import { faultOrder } from './faults.ts';
import { badRequest, notFound } from './refusal.ts';
import type { Service, ServiceEnv } from './service.ts';

const newKey = z.strictObject({
  key: z.string().regex(/^\S+$/, 'A key has no spaces'),
  permissions: z.array(z.enum(permissions)).optional(),
  quota: z.int().min(1).optional(),
});

function read<Schema extends z.ZodType>(schema: Schema, bodyText: string): z.output<Schema> {
  const result = z.safeParse(schema, parseJson(bodyText));
  if (result.success) return result.data;
  const complaints = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw badRequest(complaints.join('; '));
}

/** Creates the control API, with which tests and scripts look at the service and interfere with it. It needs no key. */
export function createControl(service: Service): Hono<ServiceEnv> {
  const { calls, faults, keyring } = service;
  const control = new Hono<ServiceEnv>();

  control.use(readBody());

  control.get('/calls', (context) => context.json({ calls: calls.all() }));

  control.post('/faults', (context) => {
    faults.arm(read(faultOrder, context.get('bodyText')));
    return context.json({ faults: faults.armed() });
  });

  control.post('/keys', (context) => {
    const { key, permissions: held, quota } = keyring.add(read(newKey, context.get('bodyText')));
    return context.json({ key, permissions: held, quota });
  });

  control.post('/reset', (context) => {
    service.reset();
    return context.json({ reset: true });
  });

  control.all('*', ({ req }) => {
    throw notFound(`The control API has no ${req.method} ${req.path}.`);
  });

  return control;
}
