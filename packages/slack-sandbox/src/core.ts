import type { SlackApp } from './apps/app.ts';
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
import type { JsonObject } from './json.ts';
import type { AppManifest } from './manifest.ts';
import { type AuthorizationCodes, createAuthorizationCodes } from './oauth/authorization-codes.ts';
import { onRefusal } from './traffic/refusals.ts';
import type { TrafficLog } from './traffic/traffic-log.ts';
import { createRateLimits, type RateLimits } from './web-api/rate-limits.ts';
import type { WorkspaceSeed } from './workspace/seed.ts';
import { createWorkspaces, type Workspace } from './workspace/workspace.ts';

/** One app's view of the sandbox: its own connections and secrets, and the services that all apps share. */
export interface Core {
  readonly app: SlackApp;
  /** Returns the views of all apps, in the order in which they were named. */
  apps(): readonly Core[];
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
  /** Answers that a test gives to methods which the sandbox lacks, by method. */
  readonly givenAnswers: Map<string, JsonObject>;
  /** Stores people's consents on Slack's install page until the app redeems them. */
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
  /** Returns the workspaces as the app sees them. */
  workspaces(): readonly Workspace[];
  findWorkspace(teamId: string): Workspace | undefined;
  /** Advances the time and runs the timers that become due. */
  advanceClock(ms: number): void;
  /** Restores the initial state of every workspace. Connections and the clock don't change. */
  reset(): void;
}

/** An app, and the transports that deliver its payloads. */
export interface ServedApp {
  readonly app: SlackApp;
  readonly manifest: AppManifest;
  readonly sockets: SocketTransport;
  /** Set if payloads are delivered over HTTP. */
  readonly http: Transport | undefined;
}

interface CoreDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly apps: readonly ServedApp[];
  /** The initial workspaces. A reset restores them. */
  readonly seeds: readonly WorkspaceSeed[];
  readonly traffic: TrafficLog;
  readonly guide: GuideOptions;
  readonly companion: Companion | undefined;
  readonly onClockAdvanced: ((ms: number) => void) | undefined;
  baseUrl(): string;
}

/** Creates each app's view of the sandbox. */
export function createCores(needs: CoreDependencies): readonly Core[] {
  const { clock, ids, traffic, companion, baseUrl, seeds } = needs;
  const changes = createChangeFeed();
  const share = (kind: 'connections' | 'clock' | 'guide' | 'refusal') => {
    for (const { team } of seeds) changes.publish({ kind, team: team.id });
  };
  const faults = createFaultQueue(clock, (team) => changes.publish({ kind: 'faults', team }));
  const guide = createGuide(clock, needs.guide, () => share('guide'));
  const installed = needs.apps.map(({ app, manifest }) => ({
    app,
    botName: manifest.botName,
    userScopes: manifest.userScopes,
  }));
  const fresh = () =>
    seeds.map((seed) => createWorkspaces(seed, installed, { clock, ids, changes, baseUrl }));
  let workspaces = fresh();
  const givenAnswers = new Map<string, JsonObject>();
  traffic.subscribe((line) => line?.direction === 'socket' && share('connections'));
  onRefusal(traffic, (team) => {
    if (team === null) share('refusal');
    else changes.publish({ kind: 'refusal', team });
  });

  function reset() {
    for (const part of [faults, traffic, givenAnswers, ...cores.flatMap(listResettableParts)]) part.clear();
    workspaces = fresh();
    for (const { team } of seeds) changes.publish({ kind: 'reset', team: team.id });
  }

  const cores = needs.apps.map(({ app, manifest, sockets, http }, index): Core => {
    const deliver = createDeliver({ clock, faults, traffic, transport: http ?? sockets });
    const ownWorkspaces = () => workspaces.flatMap((views) => views[index] ?? []);
    return {
      app,
      apps: () => cores,
      clock,
      ids,
      manifest,
      changes,
      faults,
      traffic,
      triggers: createTriggers(clock, ids, faults),
      responseUrls: createResponseUrls(clock, ids, baseUrl),
      rateLimits: createRateLimits(clock),
      deliver,
      events: createEventDispatcher({ clock, ids, app, manifest, deliver }),
      sockets,
      authorizationCodes: createAuthorizationCodes(clock, ids),
      redirectUrls: new Set(manifest.redirectUrls),
      guide,
      givenAnswers,
      companion,
      isHttp: http !== undefined,
      baseUrl,
      workspaces: ownWorkspaces,
      findWorkspace: (teamId) => ownWorkspaces().find(({ team }) => team.id === teamId),
      advanceClock(ms) {
        clock.advance(ms);
        share('clock');
        needs.onClockAdvanced?.(ms);
      },
      reset,
    };
  });
  return cores;
}

function listResettableParts({ triggers, responseUrls, rateLimits, authorizationCodes, events }: Core) {
  return [triggers, responseUrls, rateLimits, authorizationCodes, events];
}
