import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
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
  /** When the message was held. Missing if an older version has held it. */
  heldMs: z.number().optional(),
});

type Payload = z.infer<typeof payload>;

const jobName = 'held-message';

/** Quiet hours end within a week. After another week of failures, a message is given up. */
const maxHeldMs = 2 * weekMs;

/** How soon a message is tried again that comes after another one. */
const turnMs = 500;

interface HeldMessagesDependencies {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'define' | 'clock'>;
  readonly store: Pick<SettingsStore, 'find'>;
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  /** Does nothing if the person can't get any direct messages. */
  readonly deliver: (person: Actor, outcome: Outcome) => Promise<void>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Stores a direct message during a person's quiet hours, to be sent when they end. Returns false
 * outside of quiet hours.
 */
export type HoldIfQuiet = (person: Actor, outcome: Outcome) => Promise<boolean>;

/** Holds direct messages back during quiet hours, and sends them when these end. */
export function createHeldMessages({
  db,
  jobs,
  store,
  findTimeZone,
  deliver,
  log,
}: HeldMessagesDependencies): HoldIfQuiet {
  async function findQuietEnd(person: Actor): Promise<number | undefined> {
    const { quiet } = await store.find(person);
    return quiet === undefined
      ? undefined
      : quietUntilMs(quiet, await findTimeZone(person), jobs.clock.now());
  }

  async function isClaimed(id: string, token: string): Promise<boolean> {
    const row = await db
      .selectFrom('job')
      .select('id')
      .where('kind', '=', jobName)
      .where('id', '=', id)
      .where('claim_token', '=', token)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Returns whether an earlier message of the person is about to be sent. One that has failed holds up
   * no other.
   */
  async function isBehindOther(id: string, { teamId, userId }: Actor): Promise<boolean> {
    const row = await db
      .selectFrom('job')
      .select('id')
      .where('kind', '=', jobName)
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .where('id', '<', id)
      .where('claimable_at', '<=', jobs.clock.now() + defaultLeaseMs)
      .where('set_aside_reason', 'is', null)
      .where(({ and, eb, or }) =>
        or([eb('attempts', '=', 0), and([eb('attempts', '=', 1), eb('claim_token', 'is not', null)])]),
      )
      .executeTakeFirst();
    return row !== undefined;
  }

  const queue = jobs.define<Payload>({
    name: jobName,
    payload,
    leaseMs: defaultLeaseMs,
    retry: { firstMs: 15_000, maxMs: 10 * 60_000 },
    concurrency: { perProcess: 20, perWorkspace: 5 },
    // Quiet hours end within a week, so no message is held for longer.
    maxAheadMs: weekMs,
    async handle({ id, token, teamId, payload: { userId, outcome, heldMs } }) {
      if (heldMs !== undefined && jobs.clock.now() > heldMs + maxHeldMs) {
        log.error({ jobId: id, teamId }, 'a direct message that was held for quiet hours is given up');
        return { kind: 'done' };
      }
      const person = { teamId, userId };
      const untilMs = await findQuietEnd(person);
      if (untilMs !== undefined) return { kind: 'wait', atMs: untilMs };
      if (await isBehindOther(id, person)) return { kind: 'wait', atMs: jobs.clock.now() + turnMs };
      // Another process sends the message if this one was frozen for longer than its lease.
      if (await isClaimed(id, token)) await deliver(person, outcome);
      return { kind: 'done' };
    },
  });

  return async (person, outcome) => {
    const dueMs = await findQuietEnd(person);
    if (dueMs === undefined) return false;
    const { userId } = person;
    const heldMs = jobs.clock.now();
    // The IDs are in the order of time.
    const id = `${String(heldMs).padStart(15, '0')}-${randomUUID()}`;
    await queue.schedule({ id, ...person, payload: { userId, outcome, heldMs }, dueMs });
    return true;
  };
}
