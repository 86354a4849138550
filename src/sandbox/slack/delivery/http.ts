import { createHmac, randomUUID } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { app } from '../world/seed.ts';
import type { OpenExchange, Traffic } from './traffic.ts';
import type { Answer, Delivery, Failure, Transport } from './transport.ts';

/** Signs a body as Slack does: `x-slack-signature` and its timestamp, in seconds. */
function signatureOf(body: string, timestampSeconds: number): string {
  const digest = createHmac('sha256', app.signingSecret)
    .update(`v0:${timestampSeconds}:${body}`)
    .digest('hex');
  return `v0=${digest}`;
}

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** What Slack writes into `x-slack-retry-reason`. */
const retryReasons: Readonly<Record<Failure, string>> = {
  timeout: 'http_timeout',
  unreachable: 'connection_failed',
  connection_closed: 'connection_failed',
  client_error: 'http_error',
  server_error: 'http_error',
  url_unverified: 'unknown_error',
};

/** Delivers by signed HTTP requests to one URL, which is verified by a challenge before the first event. */
export function createHttpTransport(url: string, traffic: Traffic): Transport {
  let isVerified = false;

  async function post(
    contentType: string,
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) {
    // Receivers compare the timestamp with the machine's time, so the sandbox's clock must not move it.
    const timestamp = Math.floor(Date.now() / 1000);
    return fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      body,
      headers: {
        ...headers,
        'content-type': contentType,
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': signatureOf(body, timestamp),
      },
    });
  }

  async function verify(signal: AbortSignal): Promise<boolean> {
    const challenge = randomUUID();
    const payload = { token: app.verificationToken, challenge, type: 'url_verification' };
    const exchange = traffic.note({ direction: 'to_app', team: null, kind: 'url_verification', payload });
    const response = await post(json, JSON.stringify(payload), {}, signal);
    const text = await response.text();
    const acknowledged = response.ok && challengeIn(text) === challenge;
    const refused = acknowledged ? {} : { refused: 'url_unverified' };
    exchange.learn({ acknowledged, answer: text, status: response.status, ...refused });
    return acknowledged;
  }

  async function exchangeOnce(
    { kind, payload, retry }: Delivery,
    exchange: OpenExchange,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (kind === 'events_api') {
      isVerified ||= await verify(signal);
      if (!isVerified) return { ok: false, failure: 'url_unverified' };
    }
    const headers: Record<string, string> = retry
      ? { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retryReasons[retry.failure] }
      : {};
    const response = await post(kind === 'events_api' ? json : form, bodyOf(kind, payload), headers, signal);
    const text = await response.text();
    exchange.learn({ status: response.status });
    if (response.ok) return { ok: true, payload: answerIn(text, response.headers.get('content-type')) };
    const failure = response.status >= 500 ? 'server_error' : 'client_error';
    return { ok: false, failure, noRetry: response.headers.get('x-slack-no-retry') === '1' };
  }

  return {
    async send(delivery, exchange, expired) {
      try {
        return await exchangeOnce(delivery, exchange, expired);
      } catch {
        return { ok: false, failure: 'unreachable' };
      }
    },
  };
}

function bodyOf(kind: Delivery['kind'], payload: JsonObject): string {
  if (kind === 'events_api') return JSON.stringify(payload);
  if (kind === 'interactive') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const fields = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

function answerIn(text: string, contentType: string | null): unknown {
  if (text === '') return undefined;
  return contentType?.startsWith(json) ? parseJson(text) : { text };
}

/** Slack takes the challenge back as text, as a form or as JSON. */
function challengeIn(text: string): unknown {
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed.challenge;
  return new URLSearchParams(text).get('challenge') ?? text.trim();
}
