import { expect, test } from 'vitest';
import { checkFacts, type Verdict } from './facts-table.ts';

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
