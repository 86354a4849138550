import type { Hono } from 'hono';
import { servePage } from '../page-kit/serve-page.ts';

/** Serves the workspace's page. Pictures may come from anywhere, as in Slack. */
export function mountPage(app: Hono): void {
  const folder = new URL('.', import.meta.url);
  servePage(app, { title: 'Slack sandbox', folder, pictures: "'self' http: https: data:" });
}
