import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarySettings } from '../../../src/reports/summary/settings.ts';
import {
  describeThresholds,
  exampleThresholds,
  readThresholds,
  writeThresholds,
} from '../../../src/reports/summary/thresholds.ts';

const usual = summarySettings.parse({});

function read(text: string, base = usual) {
  const reading = readThresholds(text, base);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.settings;
}

const anySettings = fc
  .record({
    cpuPercent: fc.integer({ min: 0, max: 99 }),
    cpuMinutes: fc.integer({ min: 1, max: 10_080 }),
    memoryPercent: fc.integer({ min: 0, max: 99 }),
    memoryMinutes: fc.integer({ min: 1, max: 10_080 }),
    diskPercent: fc.integer({ min: 0, max: 99 }),
    diskFullDays: fc.integer({ min: 0, max: 90 }),
    changePoints: fc.integer({ min: 0, max: 100 }),
    trafficTimes: fc.integer({ min: 0, max: 1_000 }),
    post: fc.constantFrom('always' as const, 'standsOut' as const, 'changed' as const),
  })
  .map((some) => summarySettings.parse(some));

describe('thresholds as people write them', () => {
  test('are read as they are written', () => {
    expect(read(exampleThresholds)).toEqual(usual);
    fc.assert(
      fc.property(anySettings, (settings) => {
        // How long matters no more where it is off.
        const { cpuMinutes, memoryMinutes } = usual;
        expect(read(writeThresholds(settings))).toEqual({
          ...settings,
          ...(settings.cpuPercent === 0 && { cpuMinutes }),
          ...(settings.memoryPercent === 0 && { memoryMinutes }),
          post: usual.post,
        });
      }),
    );
  });

  test.each([
    ['cpu > 80% for 1h 30m', { cpuPercent: 80, cpuMinutes: 90 }],
    ['CPU 80', { cpuPercent: 80 }],
    ['ram over 70% 10m; disk ≥ 85 %', { memoryPercent: 70, memoryMinutes: 10, diskPercent: 85 }],
    ['disk full within 3 days', { diskFullDays: 3 }],
    ['full off, change off, traffic off', { diskFullDays: 0, changePoints: 0, trafficTimes: 0 }],
    ['cpu off, memory off, disk off', { cpuPercent: 0, memoryPercent: 0, diskPercent: 0 }],
    ['change by 30 points, traffic 10 times', { changePoints: 30, trafficTimes: 10 }],
    ['', {}],
  ])('%s', (text, changed) => {
    expect(read(text)).toEqual({ ...usual, ...changed });
  });

  test.each([
    ['cpu 900%', /CPU takes a percentage from 1 to 99/],
    ['cpu 90% soon', /and how long/],
    ['cpu offline', /CPU takes/],
    ['memory 95% 30d', /Memory takes/],
    ['disk', /Disk takes a percentage/],
    ['full in 1000d', /days up to 90/],
    ['traffic -5', /Traffic takes/],
    ['heat 90%', /“heat 90%” is no threshold; they look like cpu 90% 1h/],
  ])('%s is wrong, and it is said how', (text, problem) => {
    expect(readThresholds(`disk 80%, ${text}`, usual)).toEqual({
      ok: false,
      problem: expect.stringMatching(problem),
    });
  });

  test('whatever is written is read or told, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const reading = readThresholds(text, usual);
        if (reading.ok) expect(summarySettings.safeParse(reading.settings).success).toBe(true);
        else expect(reading.problem).not.toBe('');
      }),
    );
  });

  test('are said in words, without those that are left alone', () => {
    expect(describeThresholds(read('full off, traffic off'))).toBe(
      'CPU from 90 % for 1 h; memory from 95 % for 1 h; disk from 90 %; CPU 25 points off its usual; any bad state',
    );
    expect(describeThresholds(read('cpu off, memory off, disk off, change off, traffic off'))).toBe(
      'disk full within 7 d; any bad state',
    );
  });
});
