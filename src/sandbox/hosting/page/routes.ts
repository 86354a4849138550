import type { Hono } from 'hono';
import { servePage } from '../../slack/page-kit/serve-page.ts';
import type { ServiceEnv } from '../service.ts';

/** Serves the service's own page. */
export function mountPage(app: Hono<ServiceEnv>): void {
  servePage(app, { title: 'Hosting service', folder: new URL('.', import.meta.url), pictures: 'data:' });
}
