import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, FindingKind } from '../../../../src/monitoring/reports/findings/finding.ts';
import { dayMs, dayOf, endMs, history, hourMs, series, weekOf } from '../../shared/histories.ts';
import { find } from './find.ts';

const measures = ['cpu', 'memory', 'disk', 'networkIn', 'networkOut'] as const;

const wild = fc.record({
  timeMs: fc.oneof(fc.integer({ min: endMs - 8 * dayMs, max: endMs + dayMs }), fc.double()),
  value: fc.option(fc.oneof(fc.double(), fc.double({ min: 0, max: 100 }), fc.constant(95))),
});

describe('findings in any data', () => {
  test('have texts without NaN, a severity from 0 to 1, and are sorted worst first', () => {
    const points = fc.array(wild, { maxLength: 60 });
    const any = fc.array(fc.record({ measure: fc.constantFrom(...measures), points }), { maxLength: 6 });
    const live = fc.record({ diskPercent: fc.double(), cpuPercent: fc.double() }, { requiredKeys: [] });
    fc.assert(
      fc.property(any, live, (all, now) => {
        const histories = all.map(({ measure, points }) =>
          history({ ...series(measure, hourMs, []), points }),
        );
        const findings = find(histories, { live: now });
        for (const { summary, detail, severity } of findings) {
          expect(summary + detail).not.toMatch(/NaN|undefined|Infinity|no value/);
          expect(severity).toBeGreaterThanOrEqual(0);
          expect(severity).toBeLessThanOrEqual(1);
        }
        const severities = findings.map(({ severity }) => severity);
        expect(severities).toEqual(severities.toSorted((a, b) => b - a));
      }),
    );
  });

  test('do not exist without data', () => {
    const empty = fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, -1);
    fc.assert(
      fc.property(fc.constantFrom(...measures), fc.array(empty, { maxLength: 96 }), (measure, values) => {
        expect(find([history(series(measure, hourMs / 4, values))])).toEqual([]);
      }),
    );
    expect(find([])).toEqual([]);
  });

  test('are the same for repeated or unsorted points', () => {
    const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 20, maxLength: 96 });
    fc.assert(
      fc.property(fc.constantFrom('cpu' as const, 'disk' as const), values, (measure, all) => {
        const one = series(measure, hourMs / 4, all);
        const gaps = one.points.map(({ timeMs }) => ({ timeMs, value: Number.NaN }));
        const twice = { ...one, points: [...gaps, ...one.points.toReversed(), ...one.points, ...gaps] };
        expect(find([history(twice)])).toEqual(find([history(one)]));
      }),
    );
  });

  const severityOf = (findings: readonly Finding[], kinds: readonly FindingKind[]) =>
    Math.max(0, ...findings.filter(({ kind }) => kinds.includes(kind)).map(({ severity }) => severity));

  test.each(['cpu', 'memory'] as const)('are at least as severe for more %s', (measure) => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 85, max: 100, noNaN: true }),
    );
    const more = fc.double({ min: 0, max: 40, noNaN: true });
    const hours = fc.array(fc.tuple(value, more), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(hours, (all) => {
        const of = (values: readonly number[]) => [weekOf(measure, () => 20), dayOf(measure, values)];
        const [less, greater] = [
          find(of(all.map(([load]) => load))),
          find(of(all.map(([load, extra]) => load + extra))),
        ];
        // A drop isn't rising load, so findings of a drop are left out.
        const rising = (findings: readonly Finding[]) =>
          findings.filter(({ kind, detail }) => kind !== 'change' || detail.includes(' more than '));
        const kinds = [measure, 'change'] as const;
        expect(severityOf(rising(greater), kinds)).toBeGreaterThanOrEqual(
          severityOf(rising(less), kinds) - 1e-9,
        );
      }),
    );
  });

  test('are at least as severe for a disk that is fuller, or grows faster', () => {
    const noise = fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { minLength: 84, maxLength: 84 });
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(
        noise,
        number(40, 60),
        number(15, 35),
        number(0, 5),
        number(0, 5),
        (uneven, start, growth, more, faster) => {
          const of = (level: number, rise: number) => [
            history(
              series(
                'disk',
                2 * hourMs,
                uneven.map((value, at) => value + level + (rise * at) / 83),
              ),
            ),
          ];
          const kinds = ['disk', 'diskTrend'] as const;
          const less = severityOf(find(of(start, growth)), kinds);
          expect(severityOf(find(of(start + more, growth)), kinds)).toBeGreaterThanOrEqual(less - 1e-9);
          expect(severityOf(find(of(start, growth + faster)), kinds)).toBeGreaterThanOrEqual(less - 1e-9);
        },
      ),
    );
  });
});
