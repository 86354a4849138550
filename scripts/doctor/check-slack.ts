import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { type BotScope, botScopes } from '../../src/slack/oauth/bot-scopes.ts';
import { type CheckLine, createLines } from './check-line.ts';

const timeoutMs = 10_000;

/** Checks the bot token with its scopes, and the app-level token, as far as they are set. */
export async function* checkSlack({
  slack,
  workspace,
}: Pick<Config, 'slack' | 'workspace'>): AsyncGenerator<CheckLine> {
  if (workspace) yield* checkBotToken(slack.apiUrl, workspace.botToken);
  if (slack.delivery.mode === 'socket') {
    const { error, url } = await callSlack(slack.apiUrl, 'apps.connections.open', slack.delivery.appToken);
    yield describeToken('Slack app token', 'SLACK_APP_TOKEN', error);
    if (error !== undefined) return;
    const socket = createLines('Slack socket');
    yield (await isGreeted(url ?? ''))
      ? socket.ok('Slack greets on a Socket Mode connection.')
      : socket.error(
          'No Socket Mode connection can be opened. Let this machine and its proxy reach wss://*.slack.com.',
        );
  }
}

/** Opens a connection, and closes it as soon as Slack says hello, before Slack can deliver anything. */
function isGreeted(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = new WebSocket(url);
  const timer = setTimeout(() => resolve(false), timeoutMs);
  socket.addEventListener('message', ({ data }) => resolve(String(data).includes('"hello"')));
  socket.addEventListener('error', () => resolve(false));
  socket.addEventListener('close', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

async function* checkBotToken(apiUrl: string, token: string): AsyncGenerator<CheckLine> {
  const { error, scopes } = await callSlack(apiUrl, 'auth.test', token);
  yield describeToken('Slack bot token', 'SLACK_BOT_TOKEN', error);
  if (error === undefined) yield* checkScopes(scopes);
}

function* checkScopes(scopes: readonly string[] | undefined): Generator<CheckLine> {
  const { ok, warning, error } = createLines('Slack scopes');
  if (!scopes) {
    yield warning("Slack didn't say which scopes the token has.");
    return;
  }
  const missing = Object.entries<BotScope>(botScopes).filter(([scope]) => !scopes.includes(scope));
  if (missing.length === 0) yield ok('The token has all scopes.');
  for (const [scope, { without }] of missing) {
    yield without === undefined
      ? error(`The token lacks ${scope}. Reinstall the app with manifest.yml.`)
      : warning(`The token lacks the optional scope ${scope}: ${without}. To add it, reinstall the app.`);
  }
}

interface SlackAnswer {
  /** Slack's error code, `unreachable`, or undefined if the call worked. */
  readonly error?: string;
  readonly scopes?: readonly string[] | undefined;
  /** The address of a new Socket Mode connection. */
  readonly url?: string | undefined;
}

const answerSchema = z.looseObject({
  ok: z.boolean().optional(),
  error: z.string().optional(),
  url: z.string().optional(),
});

async function callSlack(apiUrl: string, method: string, token: string): Promise<SlackAnswer> {
  try {
    const response = await fetch(new URL(method, apiUrl.replace(/\/*$/, '/')), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { ok, error, url } = answerSchema.parse(await response.json());
    if (!ok) return { error: error ?? `status ${response.status}` };
    const scopes = response.headers.get('x-oauth-scopes');
    return { url, scopes: scopes?.split(',').map((scope) => scope.trim()) };
  } catch {
    return { error: 'unreachable' };
  }
}

function describeToken(check: string, setting: string, failure: string | undefined): CheckLine {
  const { ok, error } = createLines(check);
  if (failure === undefined) return ok(`Slack accepts ${setting}.`);
  return error(
    failure === 'unreachable'
      ? "Slack doesn't answer at SLACK_API_URL. Check the network and SLACK_API_URL."
      : `Slack rejected ${setting} (${failure}). Copy the token again from the app's settings in Slack.`,
  );
}
