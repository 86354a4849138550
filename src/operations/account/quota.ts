import type { QuotaUsage } from '../../hosting/quota/quota.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';

export const quota = defineRead({
  name: 'quota',
  heading: 'Quota',
  summary: 'Show how many calls the API key has left this minute, and who waits',
  arguments: {},
  right: null,
  uses: [],
  async run({ usage }) {
    return describeUsage(await usage());
  },
});

function describeUsage({ limit, backgroundLimit, used, waiting, waitMs }: QuotaUsage): Outcome {
  const left = Math.max(0, limit - used.people - used.background);
  return {
    title: `${left} of ${count(limit, 'call')} left this minute`,
    facts: [
      { label: 'Used by people', value: String(used.people) },
      { label: 'Used in the background', value: `${used.background} of at most ${backgroundLimit}` },
      { label: 'Waiting', value: describeWaiting(waiting) },
      { label: 'Wait of your next call', value: describeWait(waitMs.people) },
      ...(waitMs.background > 0
        ? [{ label: 'Wait of the next one in the background', value: describeWait(waitMs.background) }]
        : []),
    ],
    notes: ['A call counts until a minute after its answer. To look here takes none.'],
    next: [{ label: 'Look Again', operation: 'quota', input: {} }],
  };
}

function describeWaiting({ people, background }: QuotaUsage['waiting']): string {
  if (people + background === 0) return 'nobody';
  return `${count(people, 'call')} of people, ${background} in the background`;
}

/** Writes a wait in whole seconds, as one that is rounded down would end too early. */
function describeWait(waitMs: number): Value {
  return waitMs > 0 ? { durationMs: Math.ceil(waitMs / 1_000) * 1_000 } : 'none';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
