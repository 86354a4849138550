import type { SlackApp } from '../apps/app.ts';
import type { Clock } from '../clock.ts';
import type { IdGenerator } from '../id-generator.ts';
import type { JsonObject } from '../json.ts';
import type { AppManifest } from '../manifest.ts';
import type { CoveredEventName } from '../platform/coverage.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Deliver, DeliveryResult } from './deliver.ts';
import type { DeliveryFailure } from './transport.ts';

/** When a failed event is delivered again (docs.slack.dev/apis/events-api, "Error handling"). */
const retryDelaysMs: readonly number[] = [0, 60_000, 5 * 60_000];

/** An event of the Events API. */
export type AppEvent = {
  readonly channel?: Channel;
} & (
  | { readonly event: JsonObject & { readonly type: CoveredEventName }; readonly subscription?: undefined }
  | {
      readonly event: JsonObject & { readonly type: string };
      /** The event's name in the manifest. Set only if that isn't its type. */
      readonly subscription: CoveredEventName;
    }
);

export interface EventDispatcher {
  /**
   * Sends an event if the app has subscribed to it. Returns the result of the first attempt. Failed
   * deliveries are retried.
   */
  send(workspace: Workspace, event: AppEvent): Promise<DeliveryResult | undefined>;
  /**
   * Sends an event that the app gets only if its bot user, or a person who allowed it, is in the
   * channel. With the audience `everyone`, nobody has to be in the channel.
   */
  announce(workspace: Workspace, event: AppEvent, audience: 'members' | 'everyone'): void;
  /** Sends an event to which only this person can subscribe the app, because it is about them alone. */
  announceToPerson(workspace: Workspace, user: string, event: AppEvent): void;
  /** Cancels all pending retries. */
  clear(): void;
}

interface EventDispatcherDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly app: SlackApp;
  readonly manifest: AppManifest;
  readonly deliver: Deliver;
}

export function createEventDispatcher({
  clock,
  ids,
  app,
  manifest,
  deliver,
}: EventDispatcherDependencies): EventDispatcher {
  const waiting = new Set<() => void>();
  let era = 0;

  async function attempt(
    team: string,
    payload: JsonObject,
    attemptNumber: number,
    failure?: DeliveryFailure,
  ): Promise<DeliveryResult> {
    const bornIn = era;
    const outcome = await deliver({
      kind: 'events_api',
      team,
      payload,
      ...(failure && { retry: { attempt: attemptNumber, failure } }),
    });
    const delayMs = retryDelaysMs[attemptNumber];
    if (!outcome.ok && !outcome.noRetry && delayMs !== undefined && bornIn === era) {
      const again = () => {
        waiting.delete(cancel);
        void attempt(team, payload, attemptNumber + 1, outcome.failure);
      };
      const cancel = clock.schedule(delayMs, again);
      waiting.add(cancel);
    }
    return outcome;
  }

  async function sendTo(
    workspace: Workspace,
    { event, channel }: AppEvent,
    authorization: Authorization,
  ): Promise<DeliveryResult | undefined> {
    if (!workspace.installedBy) return undefined;
    const facts = { id: ids.id('Ev'), timeMs: clock.now(), authorization };
    return attempt(workspace.team.id, toEventCallback(app, workspace, event, channel, facts), 0);
  }

  return {
    async send(workspace, event) {
      const { subscription = event.event.type } = event;
      if (!manifest.events.has(subscription)) return undefined;
      return sendTo(workspace, event, { userId: workspace.bot.userId, isBot: true });
    },
    announce(workspace, event, audience) {
      const { subscription = event.event.type, channel } = event;
      const isAudience = (user: string) => audience === 'everyone' || channel?.members.has(user);
      const people = [...workspace.userGrants.values()].filter(({ isRevoked }) => !isRevoked);
      const person = people.find(({ userId }) => isAudience(userId))?.userId;
      if (manifest.events.has(subscription) && isAudience(workspace.bot.userId)) {
        void sendTo(workspace, event, { userId: workspace.bot.userId, isBot: true });
      } else if (manifest.userEvents.has(subscription) && person !== undefined) {
        void sendTo(workspace, event, { userId: person, isBot: false });
      }
    },
    announceToPerson(workspace, user, event) {
      const { subscription = event.event.type } = event;
      const grant = workspace.userGrants.get(user);
      if (!grant || grant.isRevoked || !manifest.userEvents.has(subscription)) return;
      void sendTo(workspace, event, { userId: user, isBot: false });
    },
    clear() {
      era += 1;
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}

/** In whose name the app gets an event. */
interface Authorization {
  readonly userId: string;
  readonly isBot: boolean;
}

function toEventCallback(
  app: SlackApp,
  { team, enterprise, installedBy }: Workspace,
  event: JsonObject,
  channel: Channel | undefined,
  { id, timeMs, authorization }: { id: string; timeMs: number; authorization: Authorization },
): JsonObject {
  const isOrgWide = installedBy === 'organization';
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
        // For an organization's installation, the authorization names no workspace.
        team_id: isOrgWide ? null : team.id,
        user_id: authorization.userId,
        is_bot: authorization.isBot,
        is_enterprise_install: isOrgWide,
      },
    ],
    is_ext_shared_channel: (channel?.sharedWith.length ?? 0) > 0,
    event_context: `4-${Buffer.from(JSON.stringify(context)).toString('base64url')}`,
  };
}
