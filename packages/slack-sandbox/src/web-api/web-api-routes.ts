import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { findAppOfClient, findAppOfToken } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import { isObject, type JsonObject } from '../json.ts';
import { explainUnknownMethod } from '../platform/explain-unknown-method.ts';
import { assertAppToken, assertScopes, authorize } from './authorize.ts';
import { type Call, findCharsetWarning, readCall } from './call.ts';
import type { Method } from './method.ts';
import { rateLimitTiers } from './rate-limits.ts';
import { RateLimitError, SlackError } from './slack-error.ts';
import { webApiMethods } from './web-api-methods.ts';

/** Value of `Retry-After` in an injected 429. */
const faultRetrySeconds = 1;

/** Facts about a call. They are filled in step by step. */
interface CallState {
  readonly startedMs: number;
  /** Faults that affected the call. */
  readonly faults: string[];
  team: string | null;
  raw: JsonObject;
}

/** Serves the Web API at `/api/<method>`, for GET and POST. */
export function webApiRoutes(core: Core): Hono {
  return new Hono().on(['GET', 'POST'], '/:method', async (c) => {
    const name = c.req.param('method');
    const method = webApiMethods.get(name);
    const progress: CallState = { startedMs: core.clock.now(), team: null, raw: {}, faults: [] };
    c.header('x-slack-req-id', randomUUID().replaceAll('-', ''));
    if (method?.token === 'bot') c.header('x-accepted-oauth-scopes', method.scopes.join(','));
    const charsetWarning = findCharsetWarning(c);
    try {
      const fields = method
        ? await handleCall(core, c, method, progress)
        : await answerUnknownMethod(core, c, name, progress);
      const answer = addWarning({ ok: true, ...fields }, charsetWarning);
      logCall(core, name, progress, answer);
      return c.json(answer);
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      const answer = addWarning({ ok: false, error: error.code, ...error.detail }, charsetWarning);
      logCall(core, name, progress, answer, error);
      if (!(error instanceof RateLimitError)) return c.json(answer);
      return c.json(answer, 429, { 'retry-after': String(error.retryAfterSeconds) });
    }
  });
}

/** Returns the answer that a test gave for a method. Throws Slack's error if there is none. */
async function answerUnknownMethod(
  { givenAnswers }: Core,
  c: Context,
  name: string,
  progress: CallState,
): Promise<JsonObject> {
  progress.raw = await readArguments(c);
  const given = givenAnswers.get(name);
  if (given) return given;
  const { code, detail } = explainUnknownMethod(name);
  throw new SlackError(code, detail);
}

/** Adds a warning to those that an answer has already. */
function addWarning(answer: JsonObject, warning: string | undefined): JsonObject {
  if (warning === undefined) return answer;
  const metadata = isObject(answer.response_metadata) ? answer.response_metadata : {};
  const known = Array.isArray(metadata.warnings) ? metadata.warnings : [];
  const warnings = [...known, warning];
  return { ...answer, warning: warnings.join(','), response_metadata: { ...metadata, warnings } };
}

/** Reads the arguments of a call to an unknown method. They are logged to help with debugging. */
async function readArguments(c: Context): Promise<JsonObject> {
  try {
    return (await readCall(c, true)).raw;
  } catch (error) {
    if (error instanceof SlackError) return {};
    throw error;
  }
}

async function handleCall(first: Core, c: Context, method: Method, progress: CallState): Promise<JsonObject> {
  const { raw, token } = await readCall(c, method.acceptsJson);
  progress.raw = raw;
  return runCall(findCallingApp(first, token, raw) ?? first, c, method, { raw, token }, progress);
}

/** Returns the app that makes a call, by its token or `client_id`. */
function findCallingApp({ apps }: Core, token: string | undefined, raw: JsonObject): Core | undefined {
  return (token && findAppOfToken(apps(), token)) || findAppOfClient(apps(), raw.client_id);
}

async function runCall(
  core: Core,
  c: Context,
  method: Method,
  { raw, token }: Call,
  progress: CallState,
): Promise<JsonObject> {
  c.header('x-oauth-scopes', [...core.manifest.scopes].join(','));
  if (method.token !== 'bot') {
    if (method.token === 'app') assertAppToken(core, token);
    assertRateLimit(core, method, 'app', progress);
    // oauth.v2.exchange is called without authorization, and its argument is a token.
    return method.handle({ ...raw, ...(method.token === 'none' && token && { token }) }, core);
  }
  const caller = authorize(core, token, method, raw.team_id);
  const { workspace, core: view } = caller;
  c.header('x-oauth-scopes', [...view.manifest.scopes].join(','));
  progress.team = workspace.team.id;
  assertRateLimit(core, method, workspace.team.id, progress);
  assertScopes(view.manifest, method);
  return method.handle(raw, view, workspace);
}

function assertRateLimit(
  { rateLimits, faults }: Core,
  { name, tier }: Method,
  team: string,
  progress: CallState,
): void {
  if (faults.consume(team, 'ratelimit', (detail) => detail === name) !== undefined) {
    progress.faults.push(`ratelimit:${name}`);
    throw new RateLimitError(faultRetrySeconds);
  }
  const retryAfter = rateLimits.consume(`${name} ${team}`, rateLimitTiers[tier]);
  if (retryAfter > 0) throw new RateLimitError(retryAfter);
}

function logCall(
  { clock, traffic }: Core,
  kind: string,
  { team, raw, startedMs, faults }: CallState,
  answer: JsonObject,
  error?: SlackError,
) {
  traffic.startExchange({
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
