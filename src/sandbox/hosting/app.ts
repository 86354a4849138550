import { Hono } from 'hono';
import { rejectChangesWithoutJson, rejectForeignRequests } from 'slack-sandbox/local-requests';
import { ApiError, notFound } from './api-error.ts';
import { createControlApi } from './control-api.ts';
import { injectFaults } from './faults/inject-faults.ts';
import { authenticate, delayResponse, enforceQuota, logBody, logCalls } from './middleware.ts';
import { createOpenApiDocument } from './openapi.ts';
import { mountPage } from './page/routes.ts';
import { readBody } from './request-body.ts';
import { mountRoutes } from './routes.ts';
import type { Service, ServiceEnv } from './service.ts';

/** Assembles the service: public pages, checks that each API call has to pass, and routes. */
export function createApp(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();

  app.onError((error) => {
    if (error instanceof ApiError) return error.toResponse();
    return new ApiError(500, 'internal_error', `The sandbox failed: ${error.message}`).toResponse();
  });
  app.notFound(({ req }) => notFound(`There is no ${req.path} here.`).toResponse());

  app.use(rejectForeignRequests(service.options.allowedHosts));
  mountPage(app);
  app.get('/openapi.json', (context) => context.json(createOpenApiDocument(service.options.pathOverrides)));
  // Browsers request this icon for the page. It doesn't count as a call.
  app.get('/favicon.ico', (context) => context.body(null, 204));
  app.use('/sandbox/*', rejectChangesWithoutJson);
  app.route('/sandbox', createControlApi(service));

  app.use(logCalls(service), readBody(), logBody(), delayResponse(service));
  app.use(authenticate(service), enforceQuota(service), injectFaults(service));
  mountRoutes(app, service);
  return app;
}
