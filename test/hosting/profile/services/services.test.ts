import { describe, expect, test } from 'vitest';
import { allReadings } from '../../../../src/hosting/profile/readings/all-readings.ts';
import { checkReading } from './check-reading.ts';
import { knownWrong } from './known-wrong.ts';
import { loadServiceFixtures } from './service-fixture.ts';

const fixtures = loadServiceFixtures();
const readingIds = allReadings.map(({ id }) => id);

test('covers at least twelve services', () => {
  expect(fixtures.length).toBeGreaterThanOrEqual(12);
});

test('every fact is about a reading', () => {
  const ids = new Set(fixtures.flatMap(({ facts }) => Object.keys(facts)));
  expect([...ids].filter((id) => !readingIds.includes(id))).toEqual([]);
});

describe.each(fixtures.map((fixture) => [fixture.service, fixture] as const))('%s', (_service, fixture) => {
  const known: readonly string[] = Object.values(knownWrong).flatMap((area) => area[fixture.id] ?? []);

  test.each(allReadings.map((reading) => [reading.id, reading] as const))(
    'never states a wrong %s',
    (id, reading) => {
      const { verdict, found, fact } = checkReading(reading, fixture);
      if (known.includes(id)) {
        expect(verdict, `${id} is no longer wrong: remove it from known-wrong.ts`).toBe('wrong');
        return;
      }
      expect(verdict === 'wrong' ? { found, expected: fact?.value ?? 'not shown' } : 'true').toBe('true');
    },
  );
});
