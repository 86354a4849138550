import type { Hono } from 'hono';
import { workspacePageFolder } from '../page-folders.ts';
import { servePage } from '../page-kit/serve-page.ts';

/** Serves the workspace's page. Images can come from anywhere, as in Slack. */
export function mountPage(app: Hono): void {
  servePage(app, {
    title: 'Slack sandbox',
    folder: workspacePageFolder,
    imageSources: "'self' http: https: data:",
  });
}
