import { setTimeout as delay } from 'node:timers/promises';
import { createSlackSandbox } from 'slack-sandbox';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createSandboxSettings } from '../end-to-end/crash-process.ts';
import { startPostgres } from '../services/postgres.ts';
import { createRandom } from '../simulation/machine/random.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';
import { type ChaosReport, checkWorld, type SentCommand, waitUntilSettled } from './check.ts';
import { faults, type World } from './faults.ts';
import { startFleet } from './fleet.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** Which faults happen. Defaults to all. */
  readonly only?: readonly string[];
  /** Pause between two commands. Pauses between two faults are at most this long. */
  readonly commandPauseMs?: number;
  readonly faultPauseMs?: number;
  readonly print?: (line: string) => void;
}

/** Each command targets a VPS of its own, so that its run can be found by the VPS. */
const vpsCount = 4_000;

/**
 * Runs three replicas on PostgreSQL between both sandboxes, while the seed's faults
 * happen. Then ends all faults, and checks what the replicas have done.
 */
export async function runChaos({
  seed,
  durationMs,
  only = Object.keys(faults),
  commandPauseMs = 2_500,
  faultPauseMs = 6_000,
  print = () => {},
}: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await startPostgres();
    closers.push(postgres.stop);
    const hosting = await createHostingSandbox({ port: 0, vpsCount });
    closers.push(hosting.close);
    const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
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
    const untilMs = Date.now() + durationMs;
    const sent: SentCommand[] = [];
    const sends: Promise<void>[] = [];
    const commanding = (async () => {
      for (let index = 0; Date.now() < untilMs && index < vpsCount; index += 1) {
        sends.push(sendCommand(world, index, sent));
        await delay(commandPauseMs);
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
    await waitUntilSettled(postgres.url);
    return { ...(await checkWorld(world, postgres.url, sent)), faults: faultCount };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function sendCommand({ slack }: World, index: number, sent: SentCommand[]): Promise<void> {
  const vps = `VPS-${10_001 + index}`;
  const isChange = index % 3 === 0;
  const text = isChange ? `snapshot create ${vps} chaos-${index}` : `show ${vps}`;
  const atMs = Date.now();
  const { acknowledged = false, ack_ms = 0 } = await slack.slash(text);
  sent.push({ vps, isChange, text, atMs, isAcknowledged: acknowledged, ackMs: ack_ms });
}
