import type { Logger } from 'pino';
import { createIntervalJob } from '../../jobs/interval-job.ts';
import { replaceKeyStep } from '../../operations/define/key-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { ApiKeyStore, StoredKey } from './api-key-store.ts';

/** Sends a direct message to each admin of a workspace. Throws if none of them could be reached. */
export type SendReminder = (teamId: string, outcome: Outcome) => Promise<void>;

interface KeyReminderDependencies {
  readonly keys: Pick<ApiKeyStore, 'listOlderThan' | 'claimReminder'>;
  readonly sendReminder: SendReminder;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

export interface KeyReminders {
  start(): void;
  /** Resolves when no reminder is being sent anymore. */
  stop(): Promise<void>;
  /** Sends the reminders that are due, unless another replica has sent them. */
  sendDue(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

const urgentReminder = { fromMs: 90 * dayMs, everyMs: dayMs, isUrgent: true };
const gentleReminder = { fromMs: 60 * dayMs, everyMs: 7 * dayMs, isUrgent: false };

const checkIntervalMs = 60 * 60_000;

export function createKeyReminders({
  keys,
  sendReminder,
  log,
  now = Date.now,
}: KeyReminderDependencies): KeyReminders {
  async function remindIfDue(key: StoredKey, nowMs: number): Promise<void> {
    const ageMs = nowMs - key.connectedMs;
    const { everyMs, isUrgent } = ageMs >= urgentReminder.fromMs ? urgentReminder : gentleReminder;
    // The reminder counts as due half a check interval early. Otherwise each daily reminder would
    // drift by up to an hour.
    const isRecent = key.remindedMs !== null && nowMs - key.remindedMs < everyMs - checkIntervalMs / 2;
    if (isRecent || !(await keys.claimReminder(key, nowMs))) return;
    try {
      await sendReminder(key.teamId, createReminder(Math.floor(ageMs / dayMs), isUrgent));
    } catch (error) {
      log.error({ err: error }, 'a reminder of an old API key could not be sent; it will be retried');
      await keys.claimReminder({ ...key, remindedMs: nowMs }, key.remindedMs);
    }
  }

  async function sendDue(): Promise<void> {
    const nowMs = now();
    for (const key of await keys.listOlderThan(nowMs - gentleReminder.fromMs)) await remindIfDue(key, nowMs);
  }

  const job = createIntervalJob({
    intervalMs: checkIntervalMs,
    run: sendDue,
    onError: (error) => log.error({ err: error }, 'the age of the API keys could not be checked'),
  });
  return { start: job.start, stop: job.stop, sendDue };
}

function createReminder(days: number, isUrgent: boolean): Outcome {
  const title = isUrgent
    ? `Replace the API key of this workspace: it is ${days} days old`
    : `API key of this workspace is ${days} days old`;
  const advice = isUrgent
    ? 'You get this reminder daily until the key is replaced.'
    : 'Replace it within 90 days.';
  return {
    title,
    notes: [
      "Create a new key in the hosting service's dashboard, under /services/addons/api-access, and enter it here. Queued calls use the new key. Then revoke the old one.",
      advice,
    ],
    next: [replaceKeyStep],
  };
}
