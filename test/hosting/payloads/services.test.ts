import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import {
  type KnownValue,
  knownValues,
  type PayloadEndpoint,
} from '../../../src/hosting/payloads/known-values.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { unwrapResources } from '../../../src/hosting/payloads/record.ts';
import { type PayloadValue, readPayloadValues } from './payload-values.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar), z.record(z.string(), scalar)]);

const fixture = z.strictObject({
  service: z.string(),
  /** The public document that describes the payload's shape. `own` means that we made the shape up. */
  source: z.string(),
  vps: z.string(),
  payloads: z.record(
    z.string(),
    // The hosting client unwraps payloads when it reads them.
    z.strictObject({
      success: z.literal(true),
      data: z.unknown().transform((data) => unwrapResources(data)),
    }),
  ),
  /** What a person finds in the payloads, by the ID of the known value. */
  facts: z.record(
    z.string(),
    z.strictObject({
      value,
      /** Another value that a person could find there and that is just as true. */
      or: value.optional(),
      /** The name of the field that contains the fact. */
      field: z.string(),
      /** The largest relative error, for a number that is rounded. */
      tolerance: z.number().optional(),
    }),
  ),
});

type ServiceFixture = z.output<typeof fixture>;

/**
 * How a known value compares with a fact of the service:
 * - `right`
 * - `partly`: some entries aren't found.
 * - `raw`: nothing is found, and people can see the field under its own name.
 * - `missing`: nothing is found, and people can't see the field either.
 * - `wrong`
 * - `absent`: the payload doesn't contain the fact, and nothing is found.
 */
type Verdict = 'right' | 'partly' | 'raw' | 'missing' | 'wrong' | 'absent';

interface CheckedFact {
  readonly service: string;
  readonly value: string;
  readonly verdict: Verdict;
  readonly found: PayloadValue | undefined;
  readonly expected: PayloadValue | undefined;
}

const folder = `${import.meta.dirname}/services`;

/** Compares everything that is found in the payloads of all services with the facts. */
function checkFacts(): readonly CheckedFact[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.toSorted().flatMap((file) => {
    const one = fixture.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));
    const unknown = Object.keys(one.facts).filter((id) => !knownValues.some((known) => known.id === id));
    if (unknown.length > 0) throw new Error(`${file}: unknown values ${unknown.join(', ')}`);
    return knownValues.map((known) => ({
      service: file.replace('.json', ''),
      value: known.id,
      ...check(known, one),
    }));
  });
}

function check(
  known: KnownValue,
  { payloads, facts, vps }: ServiceFixture,
): Omit<CheckedFact, 'service' | 'value'> {
  const payload = payloads[known.endpoint];
  const fact = facts[known.id];
  const found = payload && readPayloadValues(known.endpoint, payload.data, vps).get(known.id);
  const expected = fact?.value;
  if (!fact) return { verdict: found === undefined ? 'absent' : 'wrong', found, expected };
  if (found === undefined) {
    const isVisible = payload && listVisible(known.endpoint, payload.data, vps).includes(fact.field);
    return { verdict: isVisible ? 'raw' : 'missing', found, expected };
  }
  const verdicts = [fact.value, fact.or ?? fact.value].map((each) => compare(found, each, fact.tolerance));
  const verdict = (['right', 'partly'] as const).find((each) => verdicts.includes(each)) ?? 'wrong';
  return { verdict, found, expected };
}

/** Returns the names of the fields that people see if nothing is found, as one string. */
function listVisible(endpoint: PayloadEndpoint, data: unknown, vps: string): string {
  if (endpoint === 'getLiveMonitoring')
    return readLiveMetrics(data, vps)
      .unrecognized.map(({ path, value }) => `${path.join('.')} ${value}`)
      .join(' ');
  if (endpoint !== 'getRrdMonitoring') return JSON.stringify(data);
  const { series } = readRrdHistory(data, vps);
  // A graph without points shows the fields of the response.
  return series.length === 0 ? JSON.stringify(data) : series.map(({ key }) => key).join(' ');
}

function compare(found: PayloadValue, value: PayloadValue, tolerance?: number): Verdict {
  if (Array.isArray(found) || Array.isArray(value)) {
    const [own, expected] = [[found].flat().map(String), [value].flat().map(String)];
    if (own.some((item) => !expected.includes(item)) || new Set(own).size < own.length) return 'wrong';
    return own.length === expected.length ? 'right' : 'partly';
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

const facts = checkFacts();
const withVerdict = (verdict: Verdict) => facts.filter((fact) => fact.verdict === verdict);

test('no fact of a service is wrong, and none is hidden', () => {
  expect(withVerdict('wrong')).toEqual([]);
  expect(withVerdict('missing')).toEqual([]);
});

test('most facts of 35 services are found, and the others are shown under their own names', () => {
  expect(new Set(facts.map(({ service }) => service)).size).toBe(35);
  expect(withVerdict('right').length).toBeGreaterThanOrEqual(603);
  expect(withVerdict('right').length + withVerdict('raw').length + withVerdict('partly').length).toBe(964);
});

test('everything is found at a service that follows the API document closely', () => {
  const own = facts.filter(({ service, verdict }) => service === 'strict-vps' && verdict !== 'absent');
  expect(own.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
  expect(own.length).toBeGreaterThan(40);
});
