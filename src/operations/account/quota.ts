import { type QuotaUsage, waitReasons } from '../../hosting/quota/rate-limiter.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome, Value } from '../define/outcome.ts';

export const quota = defineRead({
  name: 'quota',
  heading: 'Quota',
  summary: 'Show how many calls the API key has left this minute, and the queue',
  arguments: {},
  right: null,
  endpoints: [],
  async run({ quotaUsage }) {
    return formatQuotaUsage(await quotaUsage());
  },
});

function formatQuotaUsage(usage: QuotaUsage): Outcome {
  const { limit, backgroundLimit, used, ownPeople, waiting, wait } = usage;
  const left = Math.max(0, limit - used.people - used.background);
  return {
    title: `${left} of ${formatCount(limit, 'call')} left this minute`,
    facts: [
      { label: 'Used by people', value: String(used.people) },
      { label: 'Used by you', value: `${ownPeople.used} of at most ${ownPeople.limit}` },
      { label: 'Used in the background', value: `${used.background} of at most ${backgroundLimit}` },
      { label: 'Waiting', value: formatWaiting(waiting) },
      { label: 'Wait for your next call', value: formatWait(wait.people.waitMs) },
      ...(wait.background.waitMs > 0
        ? [{ label: 'Wait for the next background call', value: formatWait(wait.background.waitMs) }]
        : []),
    ],
    notes: [
      ...(wait.people.waitMs > 0 ? [`Your next call waits because ${waitReasons[wait.people.reason]}.`] : []),
      ...formatReserves(usage),
      "A call counts for a minute after its response. This check doesn't use a call.",
    ],
    next: [{ label: 'Refresh', operation: 'quota', input: {} }],
  };
}

/** Formats how many calls are reserved for other people, and how many background work leaves for people. */
function formatReserves({ limit, backgroundLimit, ownPeople }: QuotaUsage): string[] {
  const forOthers = limit - ownPeople.limit;
  const forPeople = limit - backgroundLimit;
  return [
    ...(forOthers > 0
      ? [
          `${formatCount(forOthers, 'call')} a minute stay reserved for other people, so nobody waits behind you.`,
        ]
      : []),
    ...(forPeople > 0
      ? [`Reports and other background work leave ${formatCount(forPeople, 'call')} a minute for people.`]
      : []),
  ];
}

function formatWaiting({ people, background }: QuotaUsage['waiting']): string {
  if (people + background === 0) return 'none';
  return `${formatCount(people, 'call')} by people, ${background} in the background`;
}

/** Formats a wait in whole seconds, rounded up. */
function formatWait(waitMs: number): Value {
  return waitMs > 0 ? { kind: 'duration', durationMs: Math.ceil(waitMs / 1_000) * 1_000 } : 'none';
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
