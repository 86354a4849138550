import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@slack/bolt';
import { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { RackhandError } from '../../errors.ts';
import { spans } from '../../tracing/spans.ts';
import { type Installation, type InstallationStore, isOrgWide } from '../../workspaces/installation-store.ts';
import { stampEdit } from '../blocks/elements/edit-stamp.ts';
import type { DataTables } from './data-tables.ts';
import { isExpiredTokenError, isSlackPlatformError, isTokenError } from './slack-errors.ts';

export type SlackClient = webApi.WebClient;

/** Returns a workspace's Web API client. Throws `not_installed` if the app isn't installed in the workspace. */
export type SlackClients = ((teamId: string) => Promise<SlackClient>) & {
  readonly apiUrl: string;
  /**
   * Adapts a message to the blocks that a workspace accepts, and stamps it if it replaces another. Only messages sent
   * to a response URL need this, because the clients adapt messages themselves.
   */
  readonly adapt: DataTables['adapt'];
};

/** Timeout for a single Web API call. */
export const slackTimeoutMs = 10_000;

/**
 * Maximum number of cached clients, one per workspace. A client takes about 55 kB, because it binds every
 * Slack method.
 */
const maxClients = 100;

/** For calls that a person waits for: one retry after half a second. */
export const interactiveRetry = { retries: 1, minTimeout: 500 };

/** How long a reply waits in total when Slack answers 429. After that, the person has probably asked again. */
export const replyRateLimitWaitMs = 2 * 60_000;

/** A trigger ID expires after 3 s, so opening a modal can't wait longer. */
const modalRateLimitWaitMs = 2_000;
const modalMethods: ReadonlySet<string> = new Set(['views.open', 'views.push']);

interface SlackClientOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly retryConfig: webApi.RetryOptions;
  readonly dataTables: DataTables;
  readonly now?: () => number;
  /** Once aborted, waits after a 429 end and further calls are rejected. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long in total a call waits after 429s, without delaying other calls. By default, each 429 delays
   * all of the workspace's calls and counts as a retry.
   */
  readonly rateLimitWaitMs?: number;
  /** Called after each attempt. `result` is `ok`, `ratelimited`, Slack's error code, or `failed`. */
  readonly onCalled?: (method: string, result: string) => void;
  /** Called when Slack rejects an installation's token. Not awaited. */
  readonly onTokenRefused?: (installation: Installation) => void;
}

interface CallChecks {
  /** Returns the new token if another replica has rotated the client's token, or undefined if none has. */
  readonly findNewToken: () => Promise<string | undefined>;
  readonly onTokenRefused: () => void;
  readonly onCalled: (method: string, result: string) => void;
  readonly rateLimitWaitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly send: (
    options: CallOptions,
    call: (options: CallOptions) => Promise<webApi.WebAPICallResult>,
  ) => Promise<webApi.WebAPICallResult>;
}

type CallOptions = Readonly<Record<string, unknown>>;

/**
 * A client that waits after a 429, sends a plain table if Slack refuses a data table, and reports a token
 * that Slack rejects.
 */
class CheckedClient extends webApi.WebClient {
  readonly #checks: CallChecks;

  constructor(token: string, options: webApi.WebClientOptions, checks: CallChecks) {
    super(token, options);
    this.#checks = checks;
  }

  override apiCall(...[method, options = {}]: Parameters<webApi.WebClient['apiCall']>) {
    return this.#checks.send(options, (adapted) => this.#callWithFreshToken(method, adapted));
  }

  async #callWithFreshToken(...[method, options]: Parameters<webApi.WebClient['apiCall']>) {
    try {
      return await this.#callPatiently(method, options);
    } catch (error) {
      if (!isTokenError(error) && !isExpiredTokenError(error)) throw error;
      const token = await this.#checks.findNewToken();
      if (token !== undefined) return super.apiCall(method, { ...options, token });
      if (isTokenError(error)) this.#checks.onTokenRefused();
      throw error;
    }
  }

  /** Retries a call after each 429 until its waits exceed the limit. */
  async #callPatiently(...[method, options = {}]: Parameters<webApi.WebClient['apiCall']>) {
    const { rateLimitWaitMs, signal, onCalled, now } = this.#checks;
    let leftMs = modalMethods.has(method) ? Math.min(rateLimitWaitMs, modalRateLimitWaitMs) : rateLimitWaitMs;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const result = await spans.tracePromise(
          () => super.apiCall(method, markEdit(method, options, now())),
          {
            name: `slack ${method}`,
            kind: 'client',
            attributes: { 'slack.method': method },
          },
        );
        onCalled(method, 'ok');
        return result;
      } catch (error) {
        onCalled(method, toCallResult(error));
        if (!(error instanceof webApi.WebAPIRateLimitedError)) throw error;
        const waitMs = error.retryAfter * 1_000;
        leftMs -= waitMs;
        if (leftMs < 0) throw error;
        await delay(waitMs, undefined, { signal });
      }
    }
  }
}

/**
 * Returns a function that finds a workspace's Slack client, authenticated with its installation's token.
 * Caches recent clients. Without `rateLimitWaitMs`, a 429 pauses the whole client, so interactive calls
 * and run messages use separate clients.
 */
export function createSlackClients(
  installations: Pick<InstallationStore, 'find' | 'findFresh'>,
  {
    apiUrl,
    logger,
    retryConfig,
    dataTables,
    now = Date.now,
    signal,
    rateLimitWaitMs,
    onCalled,
    onTokenRefused,
  }: SlackClientOptions,
): SlackClients {
  const clients = new LRUCache<string, { token: string; client: SlackClient }>({ max: maxClients });

  const findClient = async (teamId: string) => {
    const installation = await installations.find(teamId);
    if (!installation) {
      clients.delete(teamId);
      throw notInstalledError();
    }
    const { botToken: token } = installation;
    const cached = clients.get(teamId);
    if (cached?.token === token) return cached.client;
    const options = {
      slackApiUrl: apiUrl,
      logger,
      retryConfig,
      rejectRateLimitedCalls: rateLimitWaitMs !== undefined,
      timeout: slackTimeoutMs,
      // An organization's token works in many workspaces, so every call names its workspace.
      ...(isOrgWide(installation) && { teamId }),
    };
    const client = new CheckedClient(token, options, {
      rateLimitWaitMs: rateLimitWaitMs ?? 0,
      signal,
      now,
      send: (content, call) => dataTables.send(teamId, content, call),
      onCalled: (method, result) => onCalled?.(method, result),
      async findNewToken() {
        const current = await installations.findFresh(teamId);
        return current?.botToken === token ? undefined : current?.botToken;
      },
      onTokenRefused: () => onTokenRefused?.(installation),
    });
    clients.set(teamId, { token, client });
    return client;
  };
  const adapt: DataTables['adapt'] = (teamId, content) =>
    dataTables.adapt(teamId, content.replace_original === true ? stampEdit(content, now()) : content);
  return Object.assign(findClient, { apiUrl, adapt });
}

/** If a call edits a message or modal, stamps its buttons with the edit time. */
function markEdit(method: string, options: CallOptions, nowMs: number): CallOptions {
  if (method === 'chat.update') return stampEdit(options, nowMs);
  const { view } = options;
  return method === 'views.update' && typeof view === 'object' && view !== null
    ? { ...options, view: stampEdit({ ...view }, nowMs) }
    : options;
}

function toCallResult(error: unknown): string {
  if (error instanceof webApi.WebAPIRateLimitedError) return 'ratelimited';
  return isSlackPlatformError(error) ? error.data.error : 'failed';
}

export function notInstalledError(): RackhandError {
  return new RackhandError('not_installed', "Rackhand isn't installed in this workspace.");
}
