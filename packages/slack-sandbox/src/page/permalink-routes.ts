import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';

/**
 * Opens Slack's links on the page: permalinks of channels, messages and files, and links that open Slack
 * from elsewhere (docs.slack.dev/interactivity/deep-linking).
 */
export function permalinkRoutes(core: Core): Hono {
  return new Hono()
    .get('/archives/:channel/:message?', (c) => {
      const [, seconds, micros] = /^p(\d+)(\d{6})$/.exec(c.req.param('message') ?? '') ?? [];
      const message = seconds && `${seconds}.${micros}`;
      return redirectToPage(core, c, c.req.param('channel'), c.req.query('thread_ts'), message);
    })
    .get('/files/:user/:file/:name?', (c) => {
      const file = core
        .workspaces()
        .map(({ files }) => files.findById(c.req.param('file')))
        .find((found) => found !== undefined);
      const [share] = file?.shares ?? [];
      return redirectToPage(core, c, share?.channel, undefined, share?.ts);
    })
    .get('/app_redirect', (c) => {
      const { team = '', channel } = c.req.query();
      if (channel !== undefined) return redirectToPage(core, c, channel, undefined, undefined);
      return c.redirect(`/#${core.findWorkspace(team)?.team.id ?? ''}`);
    });
}

/** Redirects to the page's own address of a channel. Direct messages are opened as their person. */
function redirectToPage(
  core: Core,
  c: Context,
  id: string | undefined,
  thread: string | undefined,
  message: string | undefined,
): Response {
  const owner = core.workspaces().find(({ channels }) => id !== undefined && channels.has(id));
  const channel = owner?.channels.get(id ?? '');
  if (!owner || !channel) return c.text('There is no such channel, message or file', 404);
  const person = [...channel.members].find((member) => owner.people.get(member)?.role !== 'bot') ?? '';
  const [user, place] = channel.kind === 'im' ? [person, person] : ['', channel.id];
  const parts = [owner.team.id, user, place, thread, message && `p${message}`];
  return c.redirect(`/#${parts.filter((part) => part !== undefined).join('/')}`);
}
