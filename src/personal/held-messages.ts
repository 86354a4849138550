import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defaultLeaseMs } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { weekMs } from '../time/units.ts';
import { quietUntilMs } from './personal-settings.ts';
import type { SettingsStore } from './settings-store.ts';

const payload = z.object({
  userId: z.string(),
  outcome: z.custom<Outcome>((value) => z.looseObject({ title: z.string() }).safeParse(value).success),
});

type Payload = z.infer<typeof payload>;

interface HeldMessagesDependencies {
  readonly jobs: Pick<Jobs, 'define' | 'clock'>;
  readonly store: Pick<SettingsStore, 'find'>;
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly deliver: (person: Actor, outcome: Outcome) => Promise<void>;
}

/**
 * Stores a direct message during a person's quiet hours, to be sent when they end. Returns false
 * outside of quiet hours.
 */
export type HoldIfQuiet = (person: Actor, outcome: Outcome) => Promise<boolean>;

/** Holds direct messages back during quiet hours, and sends them when these end. */
export function createHeldMessages({
  jobs,
  store,
  findTimeZone,
  deliver,
}: HeldMessagesDependencies): HoldIfQuiet {
  async function findQuietEnd(person: Actor): Promise<number | undefined> {
    const { quiet } = await store.find(person);
    return quiet === undefined
      ? undefined
      : quietUntilMs(quiet, await findTimeZone(person), jobs.clock.now());
  }

  const queue = jobs.define<Payload>({
    name: 'held-message',
    payload,
    leaseMs: defaultLeaseMs,
    retry: { firstMs: 15_000, maxMs: 10 * 60_000 },
    concurrency: { perProcess: 20, perWorkspace: 5 },
    // Quiet hours end within a week, so no message is held for longer.
    maxAheadMs: weekMs,
    async handle({ teamId, payload: { userId, outcome } }) {
      const person = { teamId, userId };
      const untilMs = await findQuietEnd(person);
      if (untilMs !== undefined) return { kind: 'wait', atMs: untilMs };
      await deliver(person, outcome);
      return { kind: 'done' };
    },
  });

  return async (person, outcome) => {
    const dueMs = await findQuietEnd(person);
    if (dueMs === undefined) return false;
    const { userId } = person;
    await queue.schedule({ id: randomUUID(), ...person, payload: { userId, outcome }, dueMs });
    return true;
  };
}
