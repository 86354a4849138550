import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { applyResponse } from './apply-response.ts';

/** Serves the `response_url` endpoints. */
export function responseUrlRoutes(core: Core): Hono {
  const app = new Hono();
  for (const family of ['commands', 'actions']) {
    app.post(`/${family}/:team/:id/:secret`, async (c) => {
      const given = await readBody(c);
      const refused = applyToResponseUrl(core, c.req.param('secret'), given);
      const status = statusOf(refused);
      const answer = refused ? { ok: false, error: refused.code, ...refused.detail } : 'ok';
      core.traffic.startExchange({
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

const goneUrlCodes: ReadonlySet<string> = new Set(['unknown_url', 'used_url', 'expired_url']);

function statusOf(refused: SlackError | undefined): 200 | 400 | 404 {
  if (!refused) return 200;
  return goneUrlCodes.has(refused.code) ? 404 : 400;
}

function applyToResponseUrl(first: Core, secret: string, given: JsonObject): SlackError | undefined {
  try {
    const core = first.apps().find(({ responseUrls }) => responseUrls.has(secret)) ?? first;
    const target = core.responseUrls.consume(secret);
    if (typeof target === 'string') throw new SlackError(target);
    const workspace = core.findWorkspace(target.team);
    if (!workspace) throw new SlackError('team_not_found');
    applyResponse(core, workspace, target, given);
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
