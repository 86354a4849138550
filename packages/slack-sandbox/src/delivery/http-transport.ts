import { randomUUID } from 'node:crypto';
import type { SlackApp } from '../apps/app.ts';
import { signBody } from '../apps/sign-body.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import type { PendingExchange, TrafficLog } from '../traffic/traffic-log.ts';
import type { AppResponse, Delivery, DeliveryFailure, Transport } from './transport.ts';

const formContentType = 'application/x-www-form-urlencoded';
const jsonContentType = 'application/json';

/** Value of Slack's `x-slack-retry-reason` header for each kind of failure. */
const retryReasons: Readonly<Record<DeliveryFailure, string>> = {
  timeout: 'http_timeout',
  unreachable: 'connection_failed',
  connection_closed: 'connection_failed',
  client_error: 'http_error',
  server_error: 'http_error',
  url_unverified: 'unknown_error',
};

/**
 * Delivers payloads as signed HTTP requests to the URLs that `findUrl` returns. Verifies the URL of
 * events with a challenge before the first event.
 */
export function createHttpTransport(
  findUrl: (delivery: Delivery) => string,
  app: SlackApp,
  traffic: TrafficLog,
): Transport {
  let isVerified = false;

  async function post(
    url: string,
    contentType: string,
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) {
    // Receivers compare the timestamp with real time, so it can't be taken from the sandbox's
    // clock.
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
        'x-slack-signature': signBody(app.signingSecret, body, timestamp),
      },
    });
  }

  async function verify(url: string, signal: AbortSignal): Promise<boolean> {
    const challenge = randomUUID();
    const payload = { token: app.verificationToken, challenge, type: 'url_verification' };
    const exchange = traffic.startExchange({
      direction: 'to_app',
      team: null,
      kind: 'url_verification',
      payload,
    });
    const response = await post(url, jsonContentType, JSON.stringify(payload), {}, signal);
    const text = await response.text();
    const acknowledged = response.ok && parseChallenge(text) === challenge;
    const refused = acknowledged ? {} : { refused: 'url_unverified' };
    exchange.update({ acknowledged, answer: text, status: response.status, ...refused });
    return acknowledged;
  }

  async function exchangeOnce(
    delivery: Delivery,
    exchange: PendingExchange,
    signal: AbortSignal,
  ): Promise<AppResponse> {
    const { kind, payload, retry } = delivery;
    const url = findUrl(delivery);
    if (kind === 'events_api') {
      isVerified ||= await verify(url, signal);
      if (!isVerified) return { ok: false, failure: 'url_unverified' };
    }
    const headers: Record<string, string> = retry
      ? { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retryReasons[retry.failure] }
      : {};
    const response = await post(
      url,
      kind === 'events_api' ? jsonContentType : formContentType,
      formatBody(kind, payload),
      headers,
      signal,
    );
    const text = await response.text();
    exchange.update({ status: response.status });
    if (response.ok) return { ok: true, payload: parseResponse(text, response.headers.get('content-type')) };
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

function formatBody(kind: Delivery['kind'], payload: JsonObject): string {
  if (kind === 'events_api') return JSON.stringify(payload);
  if (kind === 'interactive') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const fields = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

function parseResponse(text: string, contentType: string | null): unknown {
  if (text === '') return undefined;
  return contentType?.startsWith(jsonContentType) ? parseJson(text) : { text };
}

/** Parses the response to the challenge. Slack accepts text, a form, or JSON. */
function parseChallenge(text: string): unknown {
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed.challenge;
  return new URLSearchParams(text).get('challenge') ?? text.trim();
}
