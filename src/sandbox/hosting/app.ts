import { Hono } from 'hono';
import { readBody } from './body.ts';
import { createControl } from './control.ts';
import { authenticate, holdToQuota, recordBody, recordCalls, takeTime } from './gate.ts';
import { describeApi } from './openapi.ts';
import { mountPage } from './page/routes.ts';
import { notFound, Refusal } from './refusal.ts';
import { mountRoutes } from './routes.ts';
import type { Service, ServiceEnv } from './service.ts';
import { strikeFaults } from './spoil.ts';

/** Assembles the service: what is served to everybody, then the gate that each call of the API passes, then its routes. */
export function createApp(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();

  app.onError((error) => {
    if (error instanceof Refusal) return error.toResponse();
    return new Refusal(500, 'internal_error', `The sandbox failed: ${error.message}`).toResponse();
  });
  app.notFound(({ req }) => notFound(`There is no ${req.path} here.`).toResponse());

  mountPage(app);
  app.get('/openapi.json', (context) => context.json(describeApi(service.options.openPaths)));
  // A browser that shows the page asks for it: that is no call.
  app.get('/favicon.ico', (context) => context.body(null, 204));
  app.route('/sandbox', createControl(service));

  app.use(recordCalls(service), readBody(), recordBody(), takeTime(service));
  app.use(authenticate(service), holdToQuota(service), strikeFaults(service));
  mountRoutes(app, service);
  return app;
}
