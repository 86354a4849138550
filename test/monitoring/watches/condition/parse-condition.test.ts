import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseConditionText,
  parseThreshold,
  toDurationInput,
  toThresholdInput,
} from '../../../../src/monitoring/watches/condition.ts';
import { conditionArguments } from '../../../../src/monitoring/watches/planning/watch-arguments.ts';
import { toWatchPlanInput } from '../../../../src/monitoring/watches/planning/watch-planner.ts';
import { inputSchema } from '../../../../src/operations/define/arguments/argument.ts';

describe('a typed condition', () => {
  test.each([
    [
      'VPS-100* cpu > 90% for 10m',
      { vps: 'VPS-100*', measure: 'cpu', is: 'over', figure: '90%', lasts: '10m' },
    ],
    [
      'VPS-10001, VPS-200* memory > 80%',
      { vps: 'VPS-10001, VPS-200*', measure: 'memory', is: 'over', figure: '80%' },
    ],
    ['cpu>90%', { measure: 'cpu', is: 'over', figure: '90%' }],
    [
      'all RAM is above 95% for 1 hour',
      { vps: '*', measure: 'memory', is: 'over', figure: '95%', lasts: '1 hour' },
    ],
    ['* disk ≥ 85%', { vps: '*', measure: 'disk', is: 'over', figure: '85%' }],
    [
      'VPS-10001 traffic below 1 MB/s for 30 min',
      { vps: 'VPS-10001', measure: 'traffic', is: 'under', figure: '1 MB/s', lasts: '30 min' },
    ],
    ['network less than 800 Mbit/s', { measure: 'traffic', is: 'under', figure: '800 Mbit/s' }],
    [
      'VPS-10012 state is not running for 2m',
      { vps: 'VPS-10012', measure: 'state', match: 'is not', state: 'running', lasts: '2m' },
    ],
    ['status != running', { measure: 'state', match: 'is not', state: 'running' }],
    ['state is stopped', { measure: 'state', match: 'is', state: 'stopped' }],
    ['cpu 90%', { measure: 'cpu', figure: '90%' }],
    ['VPS-10001 load > 3', { vps: 'VPS-10001', measure: 'load', is: 'over', figure: '3' }],
    ['VPS-10001', { vps: 'VPS-10001' }],
    ['', {}],
  ])('%s', (typed, given) => {
    expect(parseConditionText(typed)).toEqual(given);
  });

  test('never throws, and is parsed to text only', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (typed) => {
        expect(Object.values(parseConditionText(typed)).every((word) => typeof word === 'string')).toBe(true);
      }),
    );
  });

  const schema = inputSchema(conditionArguments);

  test('means the same again when it is written for a form', () => {
    const plan = fc.record({
      name: fc.constant('CPU'),
      channel: fc.constant('C0OPS'),
      vps: fc.constantFrom('*', 'VPS-100*', 'VPS-10001'),
      condition: fc.oneof(
        fc.record({
          measure: fc.constantFrom('cpu' as const, 'memory' as const, 'disk' as const),
          is: fc.constantFrom('over' as const, 'under' as const),
          figure: fc.integer({ min: 1, max: 99 }),
          forMs: fc.integer({ min: 0, max: 1_440 }).map((minutes) => minutes * 60_000),
        }),
        fc.record({
          measure: fc.constant('traffic' as const),
          is: fc.constantFrom('over' as const, 'under' as const),
          figure: fc.oneof(
            fc.integer({ min: 1, max: 9_999 }).map((mbits) => mbits * 125_000),
            fc.integer({ min: 1, max: 999 }).map((megabytes) => megabytes * 2 ** 20),
          ),
          forMs: fc.constant(3_600_000),
        }),
      ),
    });
    fc.assert(
      fc.property(plan, (given) => {
        const read = schema.parse(toWatchPlanInput(given));
        expect(read).toMatchObject({ measure: given.condition.measure, is: given.condition.is });
        expect(read.lasts).toBe(given.condition.forMs);
        const figure = parseThreshold(given.condition, read.figure);
        expect(figure.kind === 'valid' && figure.figure).toBeCloseTo(given.condition.figure, 0);
      }),
    );
  });

  test.each([
    ['cpu', 'over', '0%', /more than 0/],
    ['cpu', 'over', 'banana', /such as 90%/],
    ['cpu', 'over', '5 MB/s', /such as 90%/],
    ['memory', 'over', '100%', /must be below 100%/],
    ['disk', 'over', '120', /can't exceed 100%/],
    ['traffic', 'over', '90%', /such as 50 MB\/s/],
    ['traffic', 'over', undefined, /such as 50 MB\/s/],
  ] as const)('%s %s %s is rejected beside its field', (measure, is, written, problem) => {
    const read = parseThreshold({ measure, is }, written);
    expect(read.kind === 'valid' ? '' : read.problem).toMatch(problem);
  });

  test('is typed again as it was', () => {
    const condition = { measure: 'traffic', is: 'over', figure: 50 * 2 ** 20, forMs: 90 * 60_000 } as const;
    expect(toThresholdInput(condition)).toBe('50 MB/s');
    expect(toThresholdInput({ ...condition, figure: 100e6 })).toBe('800 Mbit/s');
    // 10 kbit/s: in MB/s, it would be rounded.
    expect(toThresholdInput({ ...condition, figure: 1_250 })).toBe('1250 B/s');
    expect(toDurationInput(condition)).toBe('90m');
    expect(toDurationInput({ forMs: 7_200_000 })).toBe('2h');
  });
});
