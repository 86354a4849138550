import type { Context } from 'hono';
import { getString, isObject, type JsonObject, parseJson } from '../json.ts';
import { SlackError } from './slack-error.ts';

/** A Web API call as it was received: unchecked arguments, and the token from the header or body. */
export interface Call {
  readonly raw: JsonObject;
  readonly token: string | undefined;
}

/**
 * Reads a call's arguments from a form, a multipart form, JSON or the query. Throws Slack's error
 * if the body is invalid.
 */
export async function readCall(c: Context, acceptsJson: boolean): Promise<Call> {
  const isGet = c.req.method === 'GET';
  const { token, ...raw } = isGet ? readQuery(c) : await readBody(c, acceptsJson);
  const client = parseClientCredentials(c.req.header('authorization'));
  const header = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  return { raw: { ...raw, ...client }, token: header ?? getString({ token }, 'token') };
}

/**
 * Parses the credentials that apps can send by HTTP Basic authentication
 * (docs.slack.dev/authentication/installing-with-oauth).
 */
function parseClientCredentials(header: string | undefined): JsonObject {
  const encoded = /^Basic\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return {};
  const [client_id = '', client_secret = ''] = Buffer.from(encoded, 'base64').toString().split(':', 2);
  return { client_id, client_secret };
}

/**
 * Reads the arguments of a POST. Those of a form can be mixed with some in the URL
 * (docs.slack.dev/apis/web-api, "Basic overview").
 */
async function readBody(c: Context, acceptsJson: boolean): Promise<JsonObject> {
  const contentType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  switch (contentType) {
    case undefined:
      return readQuery(c);
    case 'application/x-www-form-urlencoded':
      return { ...readQuery(c), ...Object.fromEntries(new URLSearchParams(await c.req.text())) };
    case 'multipart/form-data':
      return { ...readQuery(c), ...(await readMultipart(c)) };
    case 'application/json':
      return acceptsJson ? readJson(c) : {};
    default:
      throw new SlackError('invalid_post_type');
  }
}

/** Reads the arguments in the URL. Slack ignores a token there (docs.slack.dev/changelog, 24 February 2021). */
function readQuery(c: Context): JsonObject {
  const { token: _ignored, ...args } = c.req.query();
  return args;
}

async function readMultipart(c: Context): Promise<JsonObject> {
  return c.req.parseBody().catch(() => {
    throw new SlackError('invalid_form_data');
  });
}

async function readJson(c: Context): Promise<JsonObject> {
  const text = await c.req.text();
  // Slack's SDK for Python and slack-go name JSON as the type of calls without arguments.
  if (text === '') return {};
  const body = parseJson(text);
  if (body === undefined) throw new SlackError('invalid_json');
  if (!isObject(body)) throw new SlackError('json_not_object');
  return body;
}

/**
 * Returns Slack's warning about the `charset` of a POST, which JSON should have and forms shouldn't
 * (docs.slack.dev/apis/web-api, "Warnings").
 */
export function findCharsetWarning(c: Context): 'missing_charset' | 'superfluous_charset' | undefined {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (c.req.method === 'GET' || type === '') return undefined;
  const hasCharset = parameters.some((parameter) => parameter.trim().startsWith('charset='));
  if (type.trim() === 'application/json') return hasCharset ? undefined : 'missing_charset';
  return hasCharset ? 'superfluous_charset' : undefined;
}
