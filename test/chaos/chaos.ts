import { setTimeout as delay } from 'node:timers/promises';
import { createSlackSandbox } from 'slack-sandbox';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createSandboxSettings } from '../end-to-end/crash-process.ts';
import { startPostgres } from '../services/postgres.ts';
import { createRandom } from '../simulation/machine/random.ts';
import { createHostingDriver, createSlackDriver, manifestWithHistory } from '../stack.ts';
import { type ChaosReport, checkWorld, type SentCommand, waitUntilSettled } from './check.ts';
import { faults, type World } from './faults.ts';
import { startFleet } from './fleet.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** Which faults happen. Defaults to all. */
  readonly only?: readonly string[];
  /** Commands per second. */
  readonly rate?: number;
  /** Longest pause between two faults. */
  readonly faultPauseMs?: number;
  readonly print?: (line: string) => void;
}

/** Slack accepts 50 edits a minute, and a change needs up to two of them. */
const maxChangesPerSecond = 0.4;

/** A read waits up to 300 s, so that its answer comes before the next read of the same VPS. */
const readAgainSeconds = 305;

/** Changes are requested by one person and reads by others, because a person's calls wait for each other. */
const [changer, ...readers] = ['U0ALICE', 'U0BOB', 'U0CAROL'] as const;

/**
 * Runs three replicas on PostgreSQL between both sandboxes, while the seed's faults
 * happen. Then ends all faults, and checks what the replicas have done.
 */
export async function runChaos({
  seed,
  durationMs,
  only = Object.keys(faults),
  rate = 0.4,
  faultPauseMs = 6_000,
  print = () => {},
}: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed);
  const commandCount = Math.ceil((durationMs / 1_000) * rate);
  const changeEvery = Math.max(3, Math.ceil(rate / maxChangesPerSecond));
  // A change has a VPS of its own. Reads share some, because Rackhand reads no list of more than about 3,500 VPS.
  const changeCount = Math.ceil(commandCount / changeEvery);
  const readVpsCount = readers.length * Math.ceil((readAgainSeconds * rate) / readers.length);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await startPostgres();
    closers.push(postgres.stop);
    const hosting = await createHostingSandbox({ port: 0, vpsCount: changeCount + readVpsCount });
    closers.push(hosting.close);
    const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestWithHistory() });
    closers.push(slackSandbox.close);
    const fleet = await startFleet(
      createSandboxSettings({
        slackUrl: slackSandbox.url,
        hostingUrl: hosting.url,
        databaseUrl: postgres.url,
      }),
      3,
    );
    closers.push(fleet.stop);
    const world: World = {
      fleet,
      postgres,
      random,
      service: createHostingDriver(hosting.url),
      slack: createSlackDriver(slackSandbox.url),
    };
    await grantReads(world);
    const untilMs = Date.now() + durationMs;
    const sent: SentCommand[] = [];
    const sends: Promise<void>[] = [];
    const commanding = (async () => {
      for (let index = 0; Date.now() < untilMs && index < commandCount; index += 1) {
        const isChange = index % changeEvery === 0;
        const vpsIndex = isChange ? index / changeEvery : changeCount + (index % readVpsCount);
        sends.push(sendCommand(world, index, { vps: `VPS-${10_001 + vpsIndex}`, isChange }, sent));
        await delay(1_000 / rate);
      }
    })();
    let faultCount = 0;
    while (Date.now() < untilMs) {
      const name = random.pick(only);
      const startedMs = Date.now();
      print(`${await faults[name]?.(world)} (${Date.now() - startedMs} ms)`);
      faultCount += 1;
      await delay(random.between(500, faultPauseMs));
    }
    await commanding;
    await Promise.all(sends);

    await world.service.cancelFaults();
    await fleet.heal();
    const settleMs = await waitUntilSettled(postgres.url);
    return { ...(await checkWorld(world, postgres.url, sent)), settleMs, faults: faultCount };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** Gives the readers the right to read. */
async function grantReads({ slack }: World): Promise<void> {
  for (const reader of readers) {
    await slack.slash(`access grant ${reader} view`, { user: changer });
    await slack.message(/^Granted/);
  }
}

async function sendCommand(
  { slack }: World,
  index: number,
  { vps, isChange }: Pick<SentCommand, 'vps' | 'isChange'>,
  sent: SentCommand[],
): Promise<void> {
  const user = isChange ? changer : (readers[index % readers.length] ?? changer);
  const text = isChange ? `snapshot create ${vps} chaos-${index}` : `show ${vps}`;
  const atMs = Date.now();
  const { acknowledged = false, ack_ms = 0 } = await slack.slash(text, { user });
  sent.push({ user, vps, isChange, text, atMs, isAcknowledged: acknowledged, ackMs: ack_ms });
}
