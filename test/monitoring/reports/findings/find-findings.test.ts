import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RrdHistory } from '../../../../src/hosting/payloads/history.ts';
import type { RrdMetric } from '../../../../src/hosting/payloads/known-values.ts';
import type { LiveMetrics } from '../../../../src/hosting/payloads/live-metrics.ts';
import type { Finding, FindingKind } from '../../../../src/monitoring/reports/findings/finding.ts';
import type { SummarySettings } from '../../../../src/monitoring/reports/findings/thresholds.ts';
import { buildVpsReport } from '../../../../src/monitoring/reports/summary/vps-report.ts';
import {
  dayMs,
  dayOf,
  endMs,
  history,
  hourMs,
  repeated,
  scope,
  series,
  weekOf,
} from '../../shared/histories.ts';

interface Given {
  readonly live?: Partial<LiveMetrics>;
  readonly settings?: Partial<SummarySettings>;
}

function find(histories: readonly RrdHistory[], { live, settings }: Given = {}): readonly Finding[] {
  const reading = live && { unrecognized: [], record: {}, ...live };
  return buildVpsReport({ name: 'VPS-10001', histories, live: reading }, scope(settings)).findings;
}

const say = (...given: Parameters<typeof find>) => find(...given).map(({ summary }) => summary);

describe('sustained use', () => {
  test('has its figure and duration, and that it continues', () => {
    const day = dayOf('cpu', [...repeated(20, 18), ...repeated(93, 6)]);
    expect(find([day])).toEqual([
      expect.objectContaining({
        kind: 'cpu',
        summary: 'CPU 93% for 6 h',
        detail: 'CPU at 90% or more since 00:00: 93% on average, peak 93%.',
      }),
    ]);
  });

  test('has its end, and its start only if that is known', () => {
    expect(say([dayOf('cpu', [...repeated(20, 16), ...repeated(95, 6), 20, 20])])).toEqual([
      'CPU 95% for 6 h until 04:00',
    ]);
    expect(say([dayOf('cpu', repeated(95, 24))])).toEqual(['CPU 95% for at least 1 d']);
    expect(say([dayOf('cpu', [...repeated(20, 16), null, null, ...repeated(95, 6)])])).toEqual([
      'CPU 95% for at least 6 h',
    ]);
  });

  test('is traced back before the period', () => {
    const week = history(series('cpu', 2 * hourMs, [...repeated(10, 60), ...repeated(95, 24)]));
    expect(say([week, dayOf('cpu', repeated(95, 24))])).toEqual(['CPU 95% for 2 d']);
  });

  test('is not reported if it is short, ended before the period, or is interrupted', () => {
    expect(say([dayOf('cpu', [...repeated(20, 20), 95, 20])], { settings: { cpuMinutes: 61 } })).toEqual([]);
    const before = history(series('cpu', 2 * hourMs, [...repeated(95, 40), ...repeated(10, 44)]));
    expect(say([before])).toEqual([]);
    const broken = dayOf('cpu', [...repeated(20, 20), 95, null, 95, 20]);
    expect(say([broken], { settings: { cpuMinutes: 120 } })).toEqual([]);
  });

  test('is worse the longer and higher it is', () => {
    const severity = (percent: number, hours: number) =>
      find([dayOf('cpu', [...repeated(20, 24 - hours), ...repeated(percent, hours)])])[0]?.severity ?? 0;
    expect(severity(99, 6)).toBeGreaterThan(severity(91, 6));
    expect(severity(91, 8)).toBeGreaterThan(severity(91, 6));
  });

  test.each([
    ['cpu', 'cpuPercent'],
    ['memory', 'memoryPercent'],
    ['disk', 'diskPercent'],
  ] as const)('of %s is not reported if its threshold is off', (measure, setting) => {
    const day = dayOf(measure, repeated(98, 24));
    expect(say([day])).toHaveLength(1);
    expect(say([day], { settings: { [setting]: 0 } })).toEqual([]);
  });

  test('of memory has its own threshold', () => {
    expect(say([dayOf('memory', [...repeated(50, 20), ...repeated(96, 4)])])).toEqual(['memory 96% for 4 h']);
    expect(say([dayOf('memory', repeated(94, 24))])).toEqual([]);
  });
});

describe('a disk', () => {
  const growing = (from: number, to: number) =>
    history(
      series(
        'disk',
        2 * hourMs,
        Array.from({ length: 84 }, (_, at) => from + ((to - from) * at) / 83),
      ),
    );

  test('is reported when it is nearly full, by its newest reading', () => {
    expect(say([], { live: { diskPercent: 91.4 } })).toEqual(['disk 91%']);
    expect(say([dayOf('disk', repeated(95, 24))], { live: { diskPercent: 40 } })).toEqual([]);
    expect(say([dayOf('disk', [...repeated(92, 12), ...repeated(null, 12)])])).toEqual(['disk 92% at 18:00']);
  });

  test('is reported when its growth will fill it soon', () => {
    const [finding] = find([growing(60, 81)]);
    expect(finding).toEqual(
      expect.objectContaining({ kind: 'diskTrend', summary: 'disk 81%, full in about 6 days' }),
    );
    expect(finding?.detail).toContain('grew by about 21% of its size in 7 d, to 81%');
    expect(say([growing(60, 70)])).toEqual([]);
    expect(say([growing(60, 81)], { settings: { diskFullDays: 5 } })).toEqual([]);
  });

  test('is worse the fuller it is, and the sooner it fills', () => {
    const full = [91, 95, 99].map((diskPercent) => find([], { live: { diskPercent } })[0]?.severity ?? 0);
    expect(full).toEqual([...new Set(full)].toSorted((a, b) => a - b));
    const soon = [81, 84, 88].map((to) => find([growing(60, to)])[0]?.severity ?? 0);
    expect(soon).toEqual([...new Set(soon)].toSorted((a, b) => a - b));
  });

  test('has no trend with few readings, in a short time, or with noise', () => {
    expect(say([history(series('disk', dayMs, [50, 60, 70, 80]))])).toEqual([]);
    expect(say([history(series('disk', hourMs / 4, [50, 55, 60, 65, 70, 75, 80, 85]))])).toEqual([]);
    const noise = Array.from({ length: 84 }, (_, at) => 80 + (at % 2) * 4);
    expect(say([history(series('disk', 2 * hourMs, noise))])).toEqual([]);
  });

  test('has no trend if it mostly fluctuates, nor a trend longer than the observed time', () => {
    const wave = (at: number) => 2 * Math.sin((at / 84) * 12 * Math.PI);
    const toAndFro = Array.from({ length: 84 }, (_, at) => 94 + wave(at) + (2 * at) / 83);
    const live = { diskPercent: 99 };
    const kinds = find([history(series('disk', 2 * hourMs, toAndFro))], { live }).map(({ kind }) => kind);
    expect(kinds).toEqual(['disk']);
    const hours = (to: number) => Array.from({ length: 56 }, (_, at) => 50 + ((to - 50) * at) / 55);
    const of = (to: number) => [history(series('disk', hourMs / 4, hours(to)))];
    expect(say(of(55), { settings: { diskFullDays: 90 } })).toEqual([]);
    expect(say(of(60), { settings: { diskFullDays: 90 } })).toEqual(['disk 60%, full in about 2 days']);
  });

  test('is observed again after a cleanup', () => {
    const values = [...repeated(85, 42), ...Array.from({ length: 42 }, (_, at) => 60 + at / 2)];
    expect(say([history(series('disk', 2 * hourMs, values))])).toEqual(['disk 81%, full in about 3 days']);
  });

  test('with a reading of 0 is unknown', () => {
    expect(say([dayOf('disk', repeated(0, 24))], { live: { diskPercent: 0 } })).toEqual([]);
  });
});

describe('a sudden change', () => {
  const office = (hour: number) => (hour >= 8 && hour < 16 ? 50 : 10);
  const week = (measure: RrdMetric, scale = 1) => weekOf(measure, (hour) => office(hour) * scale);
  const today = (change: (hour: number) => number) =>
    dayOf(
      'cpu',
      Array.from({ length: 24 }, (_, hour) => change(hour)),
    );

  test('is compared with the same hours of the previous days', () => {
    const [finding, ...others] = find([week('cpu'), today((hour) => (hour >= 20 ? 62 : office(hour)))]);
    expect(others).toEqual([]);
    expect(finding).toEqual(
      expect.objectContaining({ kind: 'change', summary: 'CPU 62% for 4 h, usually 10%' }),
    );
    expect(finding?.detail).toBe(
      'CPU was 62% on average from 02:00 to 06:00, more than at the same hours on each of the previous 6 days, when it was usually 10%.',
    );
  });

  test('is not reported if these hours are always busy, or the previous days are unknown', () => {
    expect(say([week('cpu'), today(office)])).toEqual([]);
    expect(say([today((hour) => (hour >= 20 ? 62 : 10))])).toEqual([]);
  });

  test("can be a drop, unless the VPS doesn't run anyway", () => {
    const fallen = [week('cpu'), today(() => 10)];
    expect(say(fallen)).toEqual(['CPU 10% for 8 h until 22:00, usually 50%']);
    expect(say(fallen, { live: { state: 'stopped' } })).toEqual(['stopped']);
  });

  test('is the worst of several', () => {
    const twice = today((hour) => (hour === 4 || hour === 5 ? 62 : hour >= 20 ? 70 : office(hour)));
    expect(say([week('cpu'), twice])).toEqual(['CPU 70% for 4 h, usually 10%']);
  });

  test('is not a weekend: one quiet day among those before is enough', () => {
    const values = Array.from({ length: 84 }, (_, at) => (at < 24 ? 10 : office((at * 2) % 24)));
    expect(say([history(series('cpu', 2 * hourMs, values)), today(() => 10)])).toEqual([]);
  });

  test('of traffic is an increase by a factor, above a minimum', () => {
    const jump = dayOf('networkIn', [...repeated(2e6, 22), 5e7, 5e7]);
    expect(say([weekOf('networkIn', () => 2e6), jump])).toEqual([
      'traffic 47.7 MiB/s for 2 h, usually 1.91 MiB/s',
    ]);
    const double = dayOf('networkIn', [...repeated(2e6, 22), 4e6, 4e6]);
    expect(say([weekOf('networkIn', () => 2e6), double])).toEqual([]);
    const trickle = dayOf('networkIn', [...repeated(2e2, 22), 5e4, 5e4]);
    expect(say([weekOf('networkIn', () => 2e2), trickle])).toEqual([]);
  });
});

describe('a state', () => {
  test('is reported unless it is a good one, in upper or lower case', () => {
    expect(say([], { live: { state: 'stopped' } })).toEqual(['stopped']);
    expect(say([], { live: { state: 'Running' } })).toEqual([]);
    expect(say([], { live: { state: 'parked' }, settings: { goodStates: ['parked'] } })).toEqual([]);
  });

  test('says since when no CPU was used, as far as that is known', () => {
    const detail = (...cpu: readonly (number | null)[]) =>
      find([dayOf('cpu', cpu)], { live: { state: 'stopped' } }).find(({ kind }) => kind === 'state')?.detail;
    expect(detail(...repeated(20, 18), ...repeated(0, 6))).toBe(
      'Its state is stopped; CPU at 0% since 00:00.',
    );
    expect(detail(...repeated(0, 24))).toBe('Its state is stopped; CPU at 0% for at least 1 d.');
    expect(detail(...repeated(20, 24))).toBe('Its state is stopped.');
  });

  test('that is temporary is less severe than one that lasts', () => {
    const severity = (state: string) => find([], { live: { state } })[0]?.severity ?? 0;
    expect(severity('rebooting')).toBeLessThan(severity('stopped'));
  });
});

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
