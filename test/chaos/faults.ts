import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresServer } from '../services/postgres.ts';
import type { Random } from '../simulation/machine/random.ts';
import type { createHostingDriver, createSlackDriver } from '../stack.ts';
import type { Fleet } from './fleet.ts';

export interface World {
  readonly fleet: Fleet;
  readonly postgres: PostgresServer;
  readonly service: ReturnType<typeof createHostingDriver>;
  readonly slack: ReturnType<typeof createSlackDriver>;
  readonly random: Random;
}

/** Each fault ends within a minute, and leaves everything running. */
type Fault = (world: World) => Promise<string>;

/** Clocks of restarted processes: right, a little off, and so wrong that the process accepts nothing. */
const clockOffsetsMs = [0, 0, 0, 200, -200, 300_000] as const;

const serviceFaults = ['timeout', 'reset', 'status:503', 'status:429', 'slow:3000', 'malformed'] as const;

export const faults: Readonly<Record<string, Fault>> = {
  async kill({ fleet, random }) {
    const index = random.between(0, fleet.size - 1);
    await fleet.kill(index);
    await delay(random.between(0, 3_000));
    const aheadMs = random.pick(clockOffsetsMs);
    await fleet.start(index, aheadMs);
    return `killed replica ${index}, and started it with its clock ${aheadMs} ms ahead`;
  },
  async freeze({ fleet, random }) {
    const index = random.between(0, fleet.size - 1);
    const ms = random.pick([500, 5_000, 35_000]);
    await fleet.freeze(index, ms);
    return `froze replica ${index} for ${ms} ms`;
  },
  async deploy({ fleet }) {
    for (let index = 0; index < fleet.size; index += 1) await fleet.replace(index);
    return 'deployed all replicas, new before old';
  },
  async limits({ fleet, slack, random }) {
    let count = 0;
    for (let index = 0; index < fleet.size; index += 1) {
      for (const method of ['chat.postMessage', 'chat.update']) {
        const times = random.between(1, 4);
        await slack.fault(`ratelimit:${method}`, times);
        count += times;
      }
      await fleet.replace(index);
    }
    return `deployed all replicas while Slack limited ${count} posts and edits`;
  },
  async postgres({ postgres, random }) {
    const ms = random.pick([0, 2_000, 15_000]);
    await postgres.halt();
    await delay(ms);
    await postgres.resume();
    return `stopped PostgreSQL for ${ms} ms`;
  },
  async sockets({ slack }) {
    for (let count = 0; count < 3; count += 1) await slack.fault('drop_socket');
    return 'dropped three connections of Slack';
  },
  async service({ service, random }) {
    const fault = random.pick(serviceFaults);
    const times = random.between(1, 6);
    const applied = random.chance(0.5);
    await service.fault(fault, { times, applied });
    return `the service: ${times} × ${fault}${applied ? ', after the effect' : ''}`;
  },
};
