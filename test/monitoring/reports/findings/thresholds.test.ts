import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatThresholds,
  parseThresholds,
  summarySettings,
  thresholdsExample,
  toThresholdsInput,
} from '../../../../src/monitoring/reports/findings/thresholds.ts';
import { anyCharacter } from '../../../arbitraries/any-character.ts';

const usual = summarySettings.parse({});

function read(text: string, base = usual) {
  const reading = parseThresholds(text, base);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
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

describe('thresholds', () => {
  test('can be written in different ways', () => {
    expect(read(thresholdsExample)).toEqual(usual);
    fc.assert(
      fc.property(anySettings, (settings) => {
        // The duration is irrelevant while the threshold is off.
        const { cpuMinutes, memoryMinutes } = usual;
        expect(read(toThresholdsInput(settings))).toEqual({
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
    ['ram over 70% 10m; disk ≥ 85%', { memoryPercent: 70, memoryMinutes: 10, diskPercent: 85 }],
    ['disk full within 3 days', { diskFullDays: 3 }],
    ['full off, change off, traffic off', { diskFullDays: 0, changePoints: 0, trafficTimes: 0 }],
    ['cpu off, memory off, disk off', { cpuPercent: 0, memoryPercent: 0, diskPercent: 0 }],
    ['change by 30 points, traffic 10 times', { changePoints: 30, trafficTimes: 10 }],
    ['', {}],
  ])('%s', (text, changed) => {
    expect(read(text)).toEqual({ ...usual, ...changed });
  });

  test.each([
    ['cpu 900%', /CPU needs a percentage from 1 to 99/],
    ['cpu 90% soon', /and a duration/],
    ['cpu offline', /CPU needs/],
    ['memory 95% 30d', /Memory needs/],
    ['disk', /For disk, give a percentage/],
    ['full in 1000d', /from 1 to 90/],
    ['traffic -5', /Give a multiple of the usual traffic/],
    ['heat 90%', /Unknown threshold "heat 90%". Example: cpu 90% 1h/],
  ])('"%s" are rejected with a reason', (text, problem) => {
    expect(parseThresholds(`disk 80%, ${text}`, usual)).toEqual({
      kind: 'invalid',
      problem: expect.stringMatching(problem),
    });
  });

  test('are parsed or rejected, whatever is written, without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const reading = parseThresholds(text, usual);
        if (reading.kind === 'valid') expect(summarySettings.safeParse(reading.settings).success).toBe(true);
        else expect(reading.problem).not.toBe('');
      }),
    );
  });

  test('are formatted without those that are off', () => {
    expect(formatThresholds(read('full off, traffic off'))).toBe(
      'CPU from 90% for 1 h; memory from 95% for 1 h; disk from 90%; CPU 25 points above or below its usual level; any bad state',
    );
    expect(formatThresholds(read('cpu off, memory off, disk off, change off, traffic off'))).toBe(
      'disk full within 7 d; any bad state',
    );
  });
});
