import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { authorize, requireAppToken, requireScopes } from './authorize.ts';
import { readCall } from './call.ts';
import type { Method } from './method.ts';
import { methods } from './methods.ts';
import { tiers } from './rate-limits.ts';
import { RateLimitError, SlackError } from './slack-error.ts';

/** What a client is told to wait after a 429 that was asked for as a fault. */
const faultRetrySeconds = 1;

/** What is known of a call, filled as it is learnt. */
interface Progress {
  readonly startedMs: number;
  /** Faults that struck it. */
  readonly faults: string[];
  team: string | null;
  raw: JsonObject;
}

/** Serves the Web API: `/api/<method>`, by GET and POST. */
export function webApiRoutes(core: Core): Hono {
  return new Hono().on(['GET', 'POST'], '/:method', async (c) => {
    const name = c.req.param('method');
    const method = methods.get(name);
    const progress: Progress = { startedMs: core.clock.now(), team: null, raw: {}, faults: [] };
    c.header('x-oauth-scopes', [...core.manifest.scopes].join(','));
    if (method?.token === 'bot') c.header('x-accepted-oauth-scopes', method.scopes.join(','));
    try {
      if (!method) {
        progress.raw = await argumentsOf(c);
        throw new SlackError('unknown_method', { req_method: name });
      }
      const answer = { ok: true, ...(await handle(core, c, method, progress)) };
      note(core, name, progress, answer);
      return c.json(answer);
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      const answer = { ok: false, error: error.code, ...error.detail };
      note(core, name, progress, answer, error);
      if (!(error instanceof RateLimitError)) return c.json(answer);
      return c.json(answer, 429, { 'retry-after': String(error.retryAfterSeconds) });
    }
  });
}

/** Reads what a method that does not exist was called with, for whoever looks for the mistake. */
async function argumentsOf(c: Context): Promise<JsonObject> {
  try {
    return (await readCall(c, true)).raw;
  } catch (error) {
    if (error instanceof SlackError) return {};
    throw error;
  }
}

async function handle(core: Core, c: Context, method: Method, progress: Progress): Promise<JsonObject> {
  const { raw, token } = await readCall(c, method.acceptsJson);
  progress.raw = raw;
  if (method.token !== 'bot') {
    if (method.token === 'app') requireAppToken(token);
    limit(core, method, 'app', progress);
    return method.handle(raw, core);
  }
  const workspace = authorize(core, token, method, raw.team_id);
  progress.team = workspace.team.id;
  limit(core, method, workspace.team.id, progress);
  requireScopes(core.manifest, method);
  return method.handle(raw, core, workspace);
}

function limit({ rateLimits, faults }: Core, { name, tier }: Method, team: string, progress: Progress): void {
  if (faults.take(team, 'ratelimit', (detail) => detail === name) !== undefined) {
    progress.faults.push(`ratelimit:${name}`);
    throw new RateLimitError(faultRetrySeconds);
  }
  const retryAfter = rateLimits.take(`${name} ${team}`, tiers[tier]);
  if (retryAfter > 0) throw new RateLimitError(retryAfter);
}

function note(
  { clock, traffic }: Core,
  kind: string,
  { team, raw, startedMs, faults }: Progress,
  answer: JsonObject,
  error?: SlackError,
) {
  traffic.note({
    direction: 'from_app',
    team,
    kind,
    payload: raw,
    answer,
    took_ms: clock.now() - startedMs,
    status: error instanceof RateLimitError ? 429 : 200,
    ...(error && { refused: error.code }),
    ...(faults.length > 0 && { faults }),
  });
}
