import type { PeriodicJob } from '../../jobs/job-kind.ts';
import type { Outbox } from '../../messages/outbox.ts';
import { createPostOutcome } from '../../messages/post-outcome.ts';
import { replaceKeyStep } from '../../operations/define/key-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { dayMs } from '../../time/units.ts';
import type { ApiKeyStore, StoredKey } from './api-key-store.ts';
import { postToAdmins } from './post-to-admins.ts';

interface KeyReminderDependencies {
  readonly keys: Pick<ApiKeyStore, 'listOlderThan' | 'claimReminder'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact'>;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
}

const urgentReminder = { fromMs: 90 * dayMs, everyMs: dayMs, isUrgent: true };
const gentleReminder = { fromMs: 60 * dayMs, everyMs: 7 * dayMs, isUrgent: false };

const checkIntervalMs = 60 * 60_000;

/** Creates the hourly job that reminds admins of old API keys. */
export function createKeyReminders({ keys, outbox, listAdmins }: KeyReminderDependencies): PeriodicJob {
  const post = createPostOutcome(outbox);

  async function remindIfDue(key: StoredKey, nowMs: number): Promise<void> {
    const { teamId, connectedMs, remindedMs } = key;
    const ageMs = nowMs - connectedMs;
    const { everyMs, isUrgent } = ageMs >= urgentReminder.fromMs ? urgentReminder : gentleReminder;
    // A reminder counts as due half a check interval early. Otherwise the daily reminders would get later
    // by up to an hour each day.
    if (remindedMs !== null && nowMs - remindedMs < everyMs - checkIntervalMs / 2) return;
    const admins = await listAdmins(teamId);
    if (admins.length === 0) return;
    const outcome = createReminder(Math.floor(ageMs / dayMs), isUrgent);
    await outbox.transact(async (transaction) => {
      if (await keys.claimReminder(key, nowMs, transaction))
        await postToAdmins(post, { key: `key-reminder:${nowMs}`, teamId, outcome }, admins, transaction);
    });
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
    ? `Replace this workspace's API key: it is ${days} days old`
    : `This workspace's API key is ${days} days old`;
  const advice = isUrgent
    ? 'You get this reminder daily until the key is replaced.'
    : "Replace it before it's 90 days old.";
  return {
    title,
    notes: [
      "Create a new key in the hosting service's dashboard, under /services/addons/api-access, and enter it here. Then revoke the old one. Queued calls use the new key.",
      advice,
    ],
    next: [replaceKeyStep],
  };
}
