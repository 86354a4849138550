import { webApi } from '@slack/bolt';
import { RackhandError } from '../error.ts';
import type { Spoken } from '../reports/voice.ts';
import type { SlackClient, SlackClients } from './clients.ts';
import { cannotSpeakThere, isRefusedBySlack, isTokenRefused } from './slack-error.ts';

/** Slack's answers after which it may have done what it was asked for. */
const doneOrNot: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
]);

/** Speaks in a workspace, and tells what came of it. Rejects where it is not known whether that came through, or the token is refused. */
export async function speakIn(
  clients: SlackClients,
  teamId: string,
  speak: (client: SlackClient) => Promise<{ ts?: string | undefined }>,
): Promise<Spoken> {
  try {
    const { ts } = await speak(await clients(teamId));
    if (ts === undefined) throw new Error('Slack took a message without saying where');
    return { ts };
  } catch (error) {
    const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
    if (isRemoved || cannotSpeakThere(error)) return 'gone';
    if (error instanceof webApi.WebAPIRateLimitedError) return { againInMs: error.retryAfter * 1_000 };
    if (!isRefusedBySlack(error) || isTokenRefused(error) || doneOrNot.has(error.data.error)) throw error;
    return { refusedAs: error.data.error };
  }
}
