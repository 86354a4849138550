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
      const status = statusOf(refused);
      const answer = refused ? { ok: false, error: refused.code, ...refused.detail } : 'ok';
      core.traffic.note({
        direction: 'from_app',
        team: c.req.param('team'),
        kind: 'response_url',
        payload: given,
        path: c.req.path,
        status,
        answer,
        ...(refused && { refused: refused.code }),
      });
      return typeof answer === 'string' ? c.text(answer) : c.json(answer, status);
    });
  }
  return app;
}

const goneUrls: ReadonlySet<string> = new Set(['unknown_url', 'used_url', 'expired_url']);

function statusOf(refused: SlackError | undefined): 200 | 400 | 404 {
  if (!refused) return 200;
  return goneUrls.has(refused.code) ? 404 : 400;
}

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
