import type { Hono } from 'hono';
import { servePage } from '../page-kit/serve-page.ts';

/** Serves the workspace's page. Images can come from anywhere, as in Slack. */
export function mountPage(app: Hono): void {
  const folder = new URL('.', import.meta.url);
  servePage(app, { title: 'Slack sandbox', folder, imageSources: "'self' http: https: data:" });
}
