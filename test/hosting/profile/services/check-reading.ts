import { readRrdHistory } from '../../../../src/hosting/profile/metrics/history/rrd-history.ts';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';
import type { Reading } from '../../../../src/hosting/profile/readings/reading.ts';
import { type ReadingValue, readFact } from '../../../../src/hosting/profile/service/facts.ts';
import type { Fact, ServiceFixture } from './service-fixture.ts';

/**
 * How a reading compares with a fact of the service:
 * - `right`
 * - `partly`: some entries aren't shown.
 * - `not shown`: the reading finds nothing, but people can see the raw field.
 * - `lost`: the reading finds nothing, and people can't see the raw field either.
 * - `wrong`
 * - `absent`: the payload doesn't contain the fact, and the reading finds nothing.
 */
export type Verdict = 'right' | 'partly' | 'not shown' | 'lost' | 'wrong' | 'absent';

export interface ReadingCheck {
  readonly verdict: Verdict;
  readonly found: ReadingValue | undefined;
  readonly fact: Fact | undefined;
}

/** Compares what a reading finds in a service's payloads with the facts. */
export function checkReading(reading: Reading, { payloads, facts, vps }: ServiceFixture): ReadingCheck {
  const payload = payloads[reading.endpoint];
  const fact = facts[reading.id];
  const found = payload && readFact(reading, payload.data, vps);
  if (found === undefined) {
    if (fact === undefined) return { verdict: 'absent', found, fact };
    const isVisible = payload !== undefined && listVisible(reading, payload.data, vps).includes(fact.field);
    return { verdict: isVisible ? 'not shown' : 'lost', found, fact };
  }
  if (fact === undefined) return { verdict: 'wrong', found, fact };
  const verdicts = [fact.value, ...(fact.or === undefined ? [] : [fact.or])].map((value) =>
    compare(found, value, fact.tolerance),
  );
  const verdict = (['right', 'partly'] as const).find((each) => verdicts.includes(each)) ?? 'wrong';
  return { verdict, found, fact };
}

/** Returns everything that people see if the reading finds nothing, as one string. */
function listVisible({ endpoint }: Reading, data: unknown, vps: string): string {
  if (endpoint === 'getLiveMonitoring')
    return readLiveMetrics(data, vps)
      .unrecognized.map(({ path }) => path.join('.'))
      .join(' ');
  if (endpoint !== 'getRrdMonitoring') return JSON.stringify(data);
  const { series, otherFields } = readRrdHistory(data, vps);
  return `${series.map(({ key }) => key).join(' ')} ${JSON.stringify(otherFields)}`;
}

function compare(found: ReadingValue, value: ReadingValue, tolerance?: number): Verdict {
  if (Array.isArray(found) || Array.isArray(value)) {
    const [own, expected] = [[found].flat().map(String), [value].flat().map(String)];
    if (own.some((item) => !expected.includes(item))) return 'wrong';
    return new Set(own).size === expected.length && own.length === expected.length
      ? 'right'
      : own.length < expected.length
        ? 'partly'
        : 'wrong';
  }
  if (typeof found === 'object' && typeof value === 'object') {
    const expected = new Map(Object.entries(value));
    const isWrong = Object.entries(found).some(([key, own]) => !isSame(own, expected.get(key), tolerance));
    if (isWrong) return 'wrong';
    return Object.keys(found).length === expected.size ? 'right' : 'partly';
  }
  return isSame(found, value, tolerance) ? 'right' : 'wrong';
}

function isSame(found: unknown, expected: unknown, tolerance = 1e-9): boolean {
  if (typeof found !== 'number' || typeof expected !== 'number') return found === expected;
  return Math.abs(found - expected) <= Math.abs(expected) * tolerance;
}
