import type { Clock } from '../clock.ts';
import type { JsonObject } from '../json.ts';
import type { AppManifest } from '../manifest.ts';
import type { Mint } from '../mint.ts';
import type { Channel } from '../world/channels.ts';
import { app } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import type { Deliver, Outcome } from './deliver.ts';
import type { Failure } from './transport.ts';

/** When an event that failed is delivered again: docs.slack.dev/apis/events-api, "Error handling". */
const retryDelaysMs: readonly number[] = [0, 60_000, 5 * 60_000];

/** An event of the Events API; `subscription` is its name in the manifest where that is longer than its type. */
interface Happening {
  readonly event: JsonObject & { readonly type: string };
  readonly subscription?: string;
  readonly channel?: Channel;
}

export interface Events {
  /** Sends an event, if the app subscribed to it; the answer is the first attempt's. Failed ones are sent again. */
  send(workspace: Workspace, happening: Happening): Promise<Outcome | undefined>;
  /** Calls off everything that waits to be sent again. */
  clear(): void;
}

interface Needs {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly manifest: AppManifest;
  readonly deliver: Deliver;
}

export function createEvents({ clock, mint, manifest, deliver }: Needs): Events {
  const waiting = new Set<() => void>();
  let era = 0;

  async function attempt(
    team: string,
    payload: JsonObject,
    number: number,
    failure?: Failure,
  ): Promise<Outcome> {
    const bornIn = era;
    const outcome = await deliver({
      kind: 'events_api',
      team,
      payload,
      ...(failure && { retry: { attempt: number, failure } }),
    });
    const delayMs = retryDelaysMs[number];
    if (!outcome.ok && !outcome.noRetry && delayMs !== undefined && bornIn === era) {
      const again = () => {
        waiting.delete(cancel);
        void attempt(team, payload, number + 1, outcome.failure);
      };
      const cancel = clock.after(delayMs, again);
      waiting.add(cancel);
    }
    return outcome;
  }

  return {
    async send(workspace, { event, subscription = event.type, channel }) {
      if (!manifest.events.has(subscription)) return undefined;
      if (!workspace.installedBy) return undefined;
      const payload = wrap(workspace, event, channel, { id: mint.id('Ev'), timeMs: clock.now() });
      return attempt(workspace.team.id, payload, 0);
    },
    clear() {
      era += 1;
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}

function wrap(
  { team, enterprise, installedBy, bot }: Workspace,
  event: JsonObject,
  channel: Channel | undefined,
  { id, timeMs }: { id: string; timeMs: number },
): JsonObject {
  const isOrgWide = installedBy === 'organisation';
  const context = { et: event.type, tid: team.id, aid: app.id, ...(channel && { cid: channel.id }) };
  return {
    token: app.verificationToken,
    team_id: team.id,
    ...(enterprise && { enterprise_id: enterprise.id }),
    context_team_id: team.id,
    context_enterprise_id: enterprise?.id ?? null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: id,
    event_time: Math.floor(timeMs / 1000),
    authorizations: [
      {
        enterprise_id: enterprise?.id ?? null,
        // The authorization of an organisation names no workspace.
        team_id: isOrgWide ? null : team.id,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isOrgWide,
      },
    ],
    is_ext_shared_channel: (channel?.sharedWith.length ?? 0) > 0,
    event_context: `4-${Buffer.from(JSON.stringify(context)).toString('base64url')}`,
  };
}
