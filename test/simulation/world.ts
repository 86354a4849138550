import type { Run } from '../../src/runs/run.ts';
import type { RunReply } from '../../src/runs/run-reply.ts';
import { createRandom, type Random } from './machine/random.ts';
import type { SharedDatabase } from './machine/shared-database.ts';
import { createVirtualTime, type VirtualTime } from './machine/virtual-time.ts';
import { createHostingService, type HostingService } from './outside/hosting-service.ts';
import { createSimulatedSlack, type SimulatedSlack } from './outside/slack.ts';
import { chooseScenario, type Scenario } from './scenario.ts';

/** Something that a person has done, or that has happened to Rackhand. */
export type WorldEvent =
  | { readonly kind: 'requested'; readonly requestKey: string; readonly vps: string; readonly userId: string }
  /** A process began to serve a read. */
  | { readonly kind: 'read'; readonly requestKey: string }
  | { readonly kind: 'confirmed' | 'cancelled'; readonly vps: string; readonly userId: string }
  | { readonly kind: 'approved' | 'declined'; readonly vps: string; readonly userId: string }
  /** Somebody has stopped a batch. */
  | { readonly kind: 'batchStopped'; readonly runId: string }
  | { readonly kind: 'revoked'; readonly userId: string }
  | { readonly kind: 'ruleAdded'; readonly vps: string }
  | {
      readonly kind: 'crashed' | 'frozen' | 'thawed' | 'started' | 'stopping' | 'stopped';
      readonly processName: string;
    }
  | { readonly kind: 'clockChanged'; readonly byMs: number }
  /** A person saw how a run ended. */
  | { readonly kind: 'told'; readonly runId: string; readonly status: string }
  /** A person saw the card with which they can confirm or approve. */
  | { readonly kind: 'asked'; readonly runId: string }
  /** A notice replaced the card, because the check of a click on it takes a while. */
  | { readonly kind: 'checking'; readonly runId: string }
  /** A person got a reply while another one had filled the quota. Undefined if none came. */
  | { readonly kind: 'competed'; readonly waitMs: number | undefined }
  /** A person saw a message of a schedule. The time is that of the occurrence which has ended. */
  | {
      readonly kind: 'scheduleTold';
      readonly channel: string;
      readonly title: string;
      readonly dueMs: number | undefined;
    }
  | { readonly kind: 'schedulePaused'; readonly scheduleId: string }
  /** Slack shows a text in a message. */
  | { readonly kind: 'shown'; readonly key: string; readonly channel: string; readonly text: string }
  | { readonly kind: 'slackChanged'; readonly what: string }
  | { readonly kind: 'failed'; readonly message: string };

export type TimedEvent = WorldEvent & { readonly atMs: number };

/** What exists outside of Rackhand's processes: people, Slack, the hosting service, the database. */
export interface World {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly random: Random;
  readonly time: VirtualTime;
  readonly shared: SharedDatabase;
  readonly service: HostingService;
  readonly slack: SimulatedSlack;
  readonly events: readonly TimedEvent[];
  record(event: WorldEvent): void;
  /** People who have lost their rights. */
  readonly revoked: Set<string>;
  /** VPS whose changes need approval. */
  readonly guarded: Set<string>;
  /** Whether crashes, freezes and faults still happen. */
  isTroubled: boolean;
  /** How far the machine's time of day is off. */
  clockOffsetMs: number;
}

export function createWorld(seed: number, shared: SharedDatabase): World {
  const random = createRandom(seed);
  const time = createVirtualTime(random, () => world.clockOffsetMs);
  const scenario = chooseScenario(random);
  const events: TimedEvent[] = [];
  const service = createHostingService(time, random);
  service.faultRate = scenario.faultRate;
  const world: World = {
    get slack() {
      return slack;
    },
    seed,
    scenario,
    random,
    time,
    shared,
    service,
    events,
    record: (event) => void events.push({ ...event, atMs: time.now() }),
    revoked: new Set(),
    guarded: new Set(),
    isTroubled: true,
    clockOffsetMs: 0,
  };
  const slack = createSimulatedSlack(world);
  return world;
}

/** Records what a person sees of a reply. */
export function recordReply(world: World, reply: RunReply): void {
  if (reply.kind === 'confirmation') {
    const [runId = ''] = reply.confirmation.token.split('.');
    world.record({ kind: 'asked', runId });
  }
  const runId = 'runId' in reply ? reply.runId : undefined;
  if (runId !== undefined) world.record({ kind: 'told', runId, status: 'reply' });
}

/** Returns the VPS that a run changes: those of a batch, or its only one. */
export function listVps({ input, target }: Pick<Run, 'input' | 'target'>): readonly string[] {
  const { targets } = input;
  if (!Array.isArray(targets)) return [target ?? ''];
  return targets.map((one) => (typeof one === 'string' ? one : String(one.vps)));
}
