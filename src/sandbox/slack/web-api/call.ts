import type { Context } from 'hono';
import { isObject, type JsonObject, textAt } from '../json.ts';
import { SlackError } from './slack-error.ts';

/** A call of the Web API as it came: arguments not yet looked at, and the token from its header or body. */
export interface Call {
  readonly raw: JsonObject;
  readonly token: string | undefined;
}

/** Reads a call's arguments from a form, a multipart form, JSON or the query; throws what Slack answers to bad bodies. */
export async function readCall(c: Context, acceptsJson: boolean): Promise<Call> {
  const isGet = c.req.method === 'GET';
  const { token, ...raw } = isGet ? c.req.query() : await readBody(c, acceptsJson);
  const client = clientIn(c.req.header('authorization'));
  const header = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  // Slack takes no token from a URL: docs.slack.dev/changelog, 24 February 2021.
  const inBody = isGet ? undefined : textAt({ token }, 'token');
  return { raw: { ...raw, ...client }, token: header ?? inBody };
}

/** An app names itself by HTTP Basic authentication too: docs.slack.dev/authentication/installing-with-oauth. */
function clientIn(header: string | undefined): JsonObject {
  const encoded = /^Basic\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return {};
  const [client_id = '', client_secret = ''] = Buffer.from(encoded, 'base64').toString().split(':', 2);
  return { client_id, client_secret };
}

async function readBody(c: Context, acceptsJson: boolean): Promise<JsonObject> {
  const contentType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  switch (contentType) {
    case undefined:
      return {};
    case 'application/x-www-form-urlencoded':
      return { ...c.req.query(), ...Object.fromEntries(new URLSearchParams(await c.req.text())) };
    case 'multipart/form-data':
      return c.req.parseBody().catch(() => {
        throw new SlackError('invalid_form_data');
      });
    case 'application/json':
      return acceptsJson ? readJson(c) : {};
    default:
      throw new SlackError('invalid_post_type');
  }
}

async function readJson(c: Context): Promise<JsonObject> {
  const body: unknown = await c.req.json().catch(() => {
    throw new SlackError('invalid_json');
  });
  if (!isObject(body)) throw new SlackError('json_not_object');
  return body;
}
