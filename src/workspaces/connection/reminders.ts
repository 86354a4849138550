import type { Logger } from 'pino';
import { rotateStep } from '../../operations/key-steps.ts';
import type { Outcome } from '../../operations/outcome.ts';
import type { ApiKeyStore, KeptKey } from '../api-key-store.ts';

/** Tells those who may change the key of a workspace something, each by a direct message. Throws where nobody could be told. */
export type Remind = (teamId: string, outcome: Outcome) => Promise<void>;

interface ReminderParts {
  readonly keys: Pick<ApiKeyStore, 'olderThan' | 'claimReminder'>;
  readonly remind: Remind;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

export interface KeyReminders {
  /** Looks now, and from time to time. */
  start(): void;
  /** Resolves when nobody is being told any more. */
  stop(): Promise<void>;
  /** Tells of the keys that are old, unless it was done lately, by this process or another. */
  look(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

/** How old a key is when its replacement is urged, and when it is suggested, and how often. */
const urged = { fromMs: 90 * dayMs, everyMs: dayMs, isUrgent: true };
const suggested = { fromMs: 60 * dayMs, everyMs: 7 * dayMs, isUrgent: false };

const lookEveryMs = 60 * 60_000;

/** Creates what reminds of old keys. */
export function createKeyReminders({ keys, remind, log, now = Date.now }: ReminderParts): KeyReminders {
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  async function tell(key: KeptKey, nowMs: number): Promise<void> {
    const ageMs = nowMs - key.connectedMs;
    const { everyMs, isUrgent } = ageMs >= urged.fromMs ? urged : suggested;
    // Half a look less, or each day's reminder would come an hour after that of the day before.
    const isTold = key.remindedMs !== null && nowMs - key.remindedMs < everyMs - lookEveryMs / 2;
    if (isTold || !(await keys.claimReminder(key, nowMs))) return;
    try {
      await remind(key.teamId, reminder(Math.floor(ageMs / dayMs), isUrgent));
    } catch (error) {
      log.error({ err: error }, 'nobody could be reminded of an old API key; it is tried again');
      await keys.claimReminder({ ...key, remindedMs: nowMs }, key.remindedMs);
    }
  }

  async function look(): Promise<void> {
    const nowMs = now();
    for (const key of await keys.olderThan(nowMs - suggested.fromMs)) await tell(key, nowMs);
  }

  function lookAgain(): void {
    looking = looking
      .then(look)
      .catch((error) => log.error({ err: error }, 'the age of the API keys could not be looked at'));
  }

  return {
    start() {
      lookAgain();
      timer = setInterval(lookAgain, lookEveryMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
    look,
  };
}

function reminder(days: number, isUrgent: boolean): Outcome {
  const title = isUrgent
    ? `Replace the API key of this workspace: it is ${days} days old`
    : `The API key of this workspace is ${days} days old`;
  const often = isUrgent ? 'This comes every day until it is done.' : 'Better to replace it within 90 days.';
  return {
    title,
    notes: [
      'Create a new key in the dashboard of the hosting service, under /services/addons/api-access, and give it here. What waits goes on with the new one; revoke the old one then.',
      often,
    ],
    next: [rotateStep],
  };
}
