import { type ChangeFeed, createChangeFeed } from './changes.ts';
import type { Clock } from './clock.ts';
import type { Companion } from './control/companion.ts';
import { createDeliver, type Deliver } from './delivery/deliver.ts';
import { createEvents, type Events } from './delivery/events.ts';
import { createFaults, type Faults } from './delivery/faults.ts';
import { createResponseUrls, type ResponseUrls } from './delivery/response-urls.ts';
import type { SocketTransport } from './delivery/socket.ts';
import type { Traffic } from './delivery/traffic.ts';
import type { Transport } from './delivery/transport.ts';
import { createTriggers, type Triggers } from './delivery/triggers.ts';
import { createGuide, type Guide, type GuideOptions } from './guide.ts';
import type { AppManifest } from './manifest.ts';
import type { Mint } from './mint.ts';
import { createGrants, type Grants } from './oauth/grants.ts';
import { createRateLimits, type RateLimits } from './web-api/rate-limits.ts';
import { seeds } from './world/seed.ts';
import { createWorkspace, type Workspace } from './world/workspace.ts';

/** Everything that a part of the sandbox may need of the others. */
export interface Core {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly manifest: AppManifest;
  readonly changes: ChangeFeed;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly rateLimits: RateLimits;
  readonly deliver: Deliver;
  readonly events: Events;
  readonly sockets: SocketTransport;
  readonly guide: Guide;
  /** What people have consented to on Slack's install page. */
  readonly grants: Grants;
  /** Where people may be sent back to who install the app; those of the manifest, and what was added since. */
  readonly redirectUrls: Set<string>;
  /** What stands beside the sandbox, such as the service that the app calls; its faults are armed from the page too. */
  readonly companion: Companion | undefined;
  /** Whether payloads go over HTTP rather than Socket Mode. */
  readonly isHttp: boolean;
  /** Where the sandbox is reached, without a slash at the end. */
  baseUrl(): string;
  workspaces(): readonly Workspace[];
  workspace(teamId: string): Workspace | undefined;
  /** Moves time forward; what is due on the way happens. */
  advance(ms: number): void;
  /** Puts every workspace back to what it was at start; connections and the clock stay. */
  reset(): void;
}

interface Needs {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly manifest: AppManifest;
  readonly traffic: Traffic;
  readonly sockets: SocketTransport;
  /** Set where payloads go over HTTP. */
  readonly http: Transport | undefined;
  readonly guide: GuideOptions;
  readonly companion: Companion | undefined;
  baseUrl(): string;
}

export function createCore(needs: Needs): Core {
  const { clock, mint, manifest, traffic, sockets, http, baseUrl } = needs;
  const changes = createChangeFeed();
  const share = (kind: 'connections' | 'clock' | 'guide') => {
    for (const { team } of seeds) changes.publish({ kind, team: team.id });
  };
  const faults = createFaults(clock, (team) => changes.publish({ kind: 'faults', team }));
  const triggers = createTriggers(clock, mint, faults);
  const responseUrls = createResponseUrls(clock, mint, baseUrl);
  const rateLimits = createRateLimits(clock);
  const grants = createGrants(clock, mint);
  const deliver = createDeliver({ clock, faults, traffic, transport: http ?? sockets });
  const events = createEvents({ clock, mint, manifest, deliver });
  const { botName } = manifest;
  const fresh = () => seeds.map((seed) => createWorkspace(seed, { clock, mint, changes, botName }));
  let workspaces = fresh();
  traffic.subscribe((line) => line?.direction === 'socket' && share('connections'));

  return {
    clock,
    mint,
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
    grants,
    redirectUrls: new Set(manifest.redirectUrls),
    guide: createGuide(clock, needs.guide, () => share('guide')),
    companion: needs.companion,
    isHttp: http !== undefined,
    baseUrl,
    workspaces: () => workspaces,
    workspace: (teamId) => workspaces.find(({ team }) => team.id === teamId),
    advance(ms) {
      clock.advance(ms);
      share('clock');
    },
    reset() {
      for (const part of [faults, triggers, responseUrls, rateLimits, grants, events, traffic]) part.clear();
      workspaces = fresh();
      for (const { team } of workspaces) changes.publish({ kind: 'reset', team: team.id });
    },
  };
}
