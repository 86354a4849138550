import type { Hono } from 'hono';
import { servePage } from 'slack-sandbox/page-kit';
import type { ServiceEnv } from '../service.ts';

export function mountPage(app: Hono<ServiceEnv>): void {
  servePage(app, { title: 'Hosting service', folder: new URL('.', import.meta.url), imageSources: 'data:' });
}
