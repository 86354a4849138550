import type { Config } from '../../src/config.ts';
import { type BotScope, botScopes } from '../../src/slack/oauth/bot-scopes.ts';
import type { CheckLine } from './check-line.ts';

const timeoutMs = 10_000;

/** Checks the bot token with its scopes, and the app-level token, as far as they are set. */
export async function* checkSlack({
  slack,
  workspace,
}: Pick<Config, 'slack' | 'workspace'>): AsyncGenerator<CheckLine> {
  if (workspace) yield* checkBotToken(slack.apiUrl, workspace.botToken);
  if (slack.delivery.mode === 'socket') {
    const { error, url } = await callSlack(slack.apiUrl, 'apps.connections.open', slack.delivery.appToken);
    if (error !== undefined) {
      yield { check: 'Slack app token', status: 'error', message: describe('SLACK_APP_TOKEN', error) };
      return;
    }
    yield { check: 'Slack app token', status: 'OK', message: 'Slack accepts SLACK_APP_TOKEN.' };
    yield (await isGreeted(url ?? ''))
      ? { check: 'Slack socket', status: 'OK', message: 'Slack greets on a Socket Mode connection.' }
      : {
          check: 'Slack socket',
          status: 'error',
          message:
            'No Socket Mode connection can be opened. Let this machine and its proxy reach wss://*.slack.com.',
        };
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
  if (error !== undefined) {
    yield { check: 'Slack bot token', status: 'error', message: describe('SLACK_BOT_TOKEN', error) };
    return;
  }
  yield { check: 'Slack bot token', status: 'OK', message: 'Slack accepts SLACK_BOT_TOKEN.' };
  yield* checkScopes(scopes);
}

function* checkScopes(scopes: readonly string[] | undefined): Generator<CheckLine> {
  const check = 'Slack scopes';
  if (!scopes) {
    yield { check, status: 'warning', message: "Slack didn't say which scopes the token has." };
    return;
  }
  const missing = Object.entries<BotScope>(botScopes).filter(([scope]) => !scopes.includes(scope));
  if (missing.length === 0) yield { check, status: 'OK', message: 'The token has all scopes.' };
  for (const [scope, { without }] of missing) {
    yield without === undefined
      ? {
          check,
          status: 'error',
          message: `The token lacks ${scope}. Reinstall the app with manifest.yml.`,
        }
      : {
          check,
          status: 'warning',
          message: `The token lacks the optional scope ${scope}: ${without}. To add it, reinstall the app.`,
        };
  }
}

interface SlackAnswer {
  /** Slack's error code, `unreachable`, or undefined if the call worked. */
  readonly error?: string;
  readonly scopes?: readonly string[];
  /** The address of a new Socket Mode connection. */
  readonly url?: string;
}

async function callSlack(apiUrl: string, method: string, token: string): Promise<SlackAnswer> {
  try {
    const response = await fetch(new URL(method, apiUrl.replace(/\/*$/, '/')), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = (await response.json()) as {
      readonly ok?: boolean;
      readonly error?: string;
      readonly url?: string;
    };
    if (!body.ok) return { error: body.error ?? `status ${response.status}` };
    const scopes = response.headers.get('x-oauth-scopes');
    return {
      ...(scopes !== null && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
      ...(body.url !== undefined && { url: body.url }),
    };
  } catch {
    return { error: 'unreachable' };
  }
}

function describe(setting: string, error: string): string {
  return error === 'unreachable'
    ? "Slack doesn't answer at SLACK_API_URL. Check the network and SLACK_API_URL."
    : `Slack rejected ${setting} (${error}). Copy the token again from the app's settings in Slack.`;
}
