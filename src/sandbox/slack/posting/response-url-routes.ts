import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { respond } from './respond.ts';

/** Serves the URLs that payloads carry as `response_url`. */
export function responseUrlRoutes(core: Core): Hono {
  const app = new Hono();
  for (const family of ['commands', 'actions']) {
    app.post(`/${family}/:team/:id/:secret`, async (c) => {
      const given = await readBody(c);
      const refused = use(core, c.req.param('secret'), given);
      core.traffic.note({
        direction: 'from_app',
        team: c.req.param('team'),
        kind: 'response_url',
        payload: given,
        ...(refused && { refused: refused.code }),
      });
      if (!refused) return c.text('ok');
      const status = goneUrls.has(refused.code) ? 404 : 400;
      return c.json({ ok: false, error: refused.code, ...refused.detail }, status);
    });
  }
  return app;
}

const goneUrls: ReadonlySet<string> = new Set(['unknown_url', 'used_url', 'expired_url']);

function use(core: Core, secret: string, given: JsonObject): SlackError | undefined {
  try {
    const target = core.responseUrls.use(secret);
    if (typeof target === 'string') throw new SlackError(target);
    const workspace = core.workspace(target.team);
    if (!workspace) throw new SlackError('team_not_found');
    respond(core, workspace, target, given);
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error;
    throw error;
  }
}

async function readBody(c: Context): Promise<JsonObject> {
  const text = await c.req.text();
  const payload = parseJson(new URLSearchParams(text).get('payload') ?? text);
  return isObject(payload) ? payload : {};
}
