import type { Logger } from 'pino';
import type { PeriodicJob } from '../../jobs/job-kind.ts';
import { replaceKeyStep } from '../../operations/define/key-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { dayMs } from '../../time/units.ts';
import type { ApiKeyStore, StoredKey } from './api-key-store.ts';

/**
 * Sends a direct message to the admins of a workspace, or to one of them only if `preferredAdmin` is an admin.
 * Returns false if no admins are known. Throws if none of them could be reached.
 */
export type SendToAdmins = (teamId: string, outcome: Outcome, preferredAdmin?: string) => Promise<boolean>;

interface KeyReminderDependencies {
  readonly keys: Pick<ApiKeyStore, 'listOlderThan' | 'claimReminder'>;
  readonly sendReminder: SendToAdmins;
  readonly log: Pick<Logger, 'error'>;
}

const urgentReminder = { fromMs: 90 * dayMs, everyMs: dayMs, isUrgent: true };
const gentleReminder = { fromMs: 60 * dayMs, everyMs: 7 * dayMs, isUrgent: false };

const checkIntervalMs = 60 * 60_000;

/** Creates the hourly job that reminds admins of old API keys. */
export function createKeyReminders({ keys, sendReminder, log }: KeyReminderDependencies): PeriodicJob {
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

  return {
    name: 'key-reminders',
    intervalMs: checkIntervalMs,
    async run({ clock, signal }) {
      const nowMs = clock.now();
      for (const key of await keys.listOlderThan(nowMs - gentleReminder.fromMs)) {
        if (signal.aborted) return;
        await remindIfDue(key, nowMs);
      }
    },
  };
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
