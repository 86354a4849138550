import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Core } from '../core.ts';
import { getString, isObject, type JsonObject, parseJson } from '../json.ts';
import { resolveThreadParent } from '../web-api/destination.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { findIncomingWebhook, webhookSecret } from './incoming-webhook.ts';
import { assertNotEmpty, parseMessageContent } from './message-content.ts';
import { postAsApp } from './post-message.ts';

/** The HTTP statuses of refusals, from docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  channel_is_archived: 410,
  invalid_token: 403,
  no_service: 404,
  no_team: 404,
};

/** Serves incoming webhooks. They answer in plain text. */
export function incomingWebhookRoutes(core: Core): Hono {
  return new Hono().post('/services/:team/:bot/:secret', async (c) => {
    const payload = await readPayload(c);
    const refused = postToWebhook(core, c.req.param(), payload);
    const status = refused ? (statuses[refused.code] ?? 400) : 200;
    const answer = refused?.code ?? 'ok';
    core.traffic.startExchange({
      direction: 'from_app',
      team: c.req.param('team'),
      kind: 'incoming_webhook',
      payload: payload ?? {},
      path: c.req.path,
      status,
      answer,
      ...(refused && { refused: refused.code }),
    });
    return c.text(answer, status);
  });
}

interface Address {
  readonly team: string;
  readonly bot: string;
  readonly secret: string;
}

function postToWebhook(
  first: Core,
  { team, bot, secret }: Address,
  payload: JsonObject | undefined,
): SlackError | undefined {
  try {
    if (!first.findWorkspace(team)) throw new SlackError('no_team');
    const core = first.apps().find((app) => app.findWorkspace(team)?.bot.id === bot);
    const workspace = core?.findWorkspace(team);
    const webhook = core && workspace && findIncomingWebhook(core, workspace);
    if (!webhook || !workspace.installedBy || workspace.isTokenRevoked) {
      throw new SlackError('no_service');
    }
    if (secret !== webhookSecret) throw new SlackError('invalid_token');
    if (!payload) throw new SlackError('invalid_payload');
    if (webhook.channel.isArchived) throw new SlackError('channel_is_archived');
    const content = parseMessageContent(payload, workspace, core);
    assertNotEmpty(content);
    const { channel } = webhook;
    const parent = resolveThreadParent(workspace, channel, getString(payload, 'thread_ts'));
    postAsApp(core, workspace, content, { channel, threadTs: parent?.ts });
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error;
    throw error;
  }
}

/** Reads JSON, or a form whose field `payload` contains JSON. */
async function readPayload(c: Context): Promise<JsonObject | undefined> {
  const text = await c.req.text();
  const payload = parseJson(new URLSearchParams(text).get('payload') ?? text);
  return isObject(payload) ? payload : undefined;
}
