import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import type { Clock } from './clock.ts';
import type { Companion } from './control/companion.ts';
import { createDeliver, type Deliver } from './delivery/deliver.ts';
import { createEventDispatcher, type EventDispatcher } from './delivery/event-dispatcher.ts';
import { createFaultQueue, type FaultQueue } from './delivery/fault-queue.ts';
import { createResponseUrls, type ResponseUrls } from './delivery/response-urls.ts';
import type { SocketTransport } from './delivery/socket-transport.ts';
import type { Transport } from './delivery/transport.ts';
import { createTriggers, type Triggers } from './delivery/triggers.ts';
import { createGuide, type Guide, type GuideOptions } from './guide.ts';
import type { IdGenerator } from './id-generator.ts';
import type { AppManifest } from './manifest.ts';
import { type AuthorizationCodes, createAuthorizationCodes } from './oauth/authorization-codes.ts';
import { onRefusal } from './traffic/refusals.ts';
import type { TrafficLog } from './traffic/traffic-log.ts';
import { createRateLimits, type RateLimits } from './web-api/rate-limits.ts';
import type { WorkspaceSeed } from './workspace/seed.ts';
import { createWorkspace, type Workspace } from './workspace/workspace.ts';

/** The services that the parts of the sandbox share. */
export interface Core {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly manifest: AppManifest;
  readonly changes: ChangeFeed;
  readonly faults: FaultQueue;
  readonly traffic: TrafficLog;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly rateLimits: RateLimits;
  readonly deliver: Deliver;
  readonly events: EventDispatcher;
  readonly sockets: SocketTransport;
  readonly guide: Guide;
  /** Where people's consents on Slack's install page are kept until the app redeems them. */
  readonly authorizationCodes: AuthorizationCodes;
  /** Redirect URLs that OAuth allows: those in the manifest, and those added later. */
  readonly redirectUrls: Set<string>;
  /**
   * A service that runs beside the sandbox, such as the API that the app calls. The page can inject
   * faults into it too.
   */
  readonly companion: Companion | undefined;
  /** Whether payloads are delivered over HTTP instead of Socket Mode. */
  readonly isHttp: boolean;
  /** Returns the URL of the sandbox, without a trailing slash. */
  baseUrl(): string;
  workspaces(): readonly Workspace[];
  findWorkspace(teamId: string): Workspace | undefined;
  /** Advances the time and runs the timers that become due. */
  advanceClock(ms: number): void;
  /** Restores the initial state of every workspace. Connections and the clock don't change. */
  reset(): void;
}

interface CoreDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly manifest: AppManifest;
  /** The initial workspaces. A reset restores them. */
  readonly seeds: readonly WorkspaceSeed[];
  readonly traffic: TrafficLog;
  readonly sockets: SocketTransport;
  /** Set if payloads are delivered over HTTP. */
  readonly http: Transport | undefined;
  readonly guide: GuideOptions;
  readonly companion: Companion | undefined;
  baseUrl(): string;
}

export function createCore(needs: CoreDependencies): Core {
  const { clock, ids, manifest, traffic, sockets, http, baseUrl } = needs;
  const changes = createChangeFeed();
  const share = (kind: 'connections' | 'clock' | 'guide' | 'refusal') => {
    for (const { team } of needs.seeds) changes.publish({ kind, team: team.id });
  };
  const faults = createFaultQueue(clock, (team) => changes.publish({ kind: 'faults', team }));
  const triggers = createTriggers(clock, ids, faults);
  const responseUrls = createResponseUrls(clock, ids, baseUrl);
  const rateLimits = createRateLimits(clock);
  const authorizationCodes = createAuthorizationCodes(clock, ids);
  const deliver = createDeliver({ clock, faults, traffic, transport: http ?? sockets });
  const events = createEventDispatcher({ clock, ids, manifest, deliver });
  const { botName } = manifest;
  const fresh = () => needs.seeds.map((seed) => createWorkspace(seed, { clock, ids, changes, botName }));
  let workspaces = fresh();
  traffic.subscribe((line) => line?.direction === 'socket' && share('connections'));
  onRefusal(traffic, (team) => {
    if (team === null) share('refusal');
    else changes.publish({ kind: 'refusal', team });
  });

  return {
    clock,
    ids,
    manifest,
    changes,
    faults,
    traffic,
    triggers,
    responseUrls,
    rateLimits,
    deliver,
    events,
    sockets,
    authorizationCodes,
    redirectUrls: new Set(manifest.redirectUrls),
    guide: createGuide(clock, needs.guide, () => share('guide')),
    companion: needs.companion,
    isHttp: http !== undefined,
    baseUrl,
    workspaces: () => workspaces,
    findWorkspace: (teamId) => workspaces.find(({ team }) => team.id === teamId),
    advanceClock(ms) {
      clock.advance(ms);
      share('clock');
    },
    reset() {
      for (const part of [faults, triggers, responseUrls, rateLimits, authorizationCodes, events, traffic])
        part.clear();
      workspaces = fresh();
      for (const { team } of workspaces) changes.publish({ kind: 'reset', team: team.id });
    },
  };
}
