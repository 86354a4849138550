import { describe, expect, test } from 'vitest';
import { readLiveMetrics } from '../../../../src/hosting/payloads/live-metrics.ts';
import type { Condition } from '../../../../src/monitoring/watches/condition.ts';
import { evaluateCondition } from '../../../../src/monitoring/watches/evaluation/evaluate-condition.ts';

const cpu: Condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 0 };
const isOn: Condition = { measure: 'state', is: 'is not', state: 'on', forMs: 0 };
const observe = (condition: Condition, data: unknown) =>
  evaluateCondition(condition, { atMs: 0, live: readLiveMetrics(data) });

describe('a condition', () => {
  test('is met if Proxmox VE shows 97% of eight cores', () => {
    expect(observe(cpu, { status: 'running', cpus: 8, cpu: 0.9712, mem: 1, maxmem: 2 })).toMatchObject({
      result: 'met',
    });
  });

  test('of a state is met if the state is in an object', () => {
    expect(observe(isOn, { power: { state: 'off' } })).toMatchObject({ result: 'met', state: 'off' });
    expect(observe(isOn, { power: { state: 'on' } })).toMatchObject({ result: 'recovered' });
  });

  test.each<[unknown, string]>([
    [{ cpu: 0.5 }, 'notShown'],
    [{ status: 'stopped' }, 'off'],
  ])('is unread, with the reason, if the figure is not certain: %j', (data, unreadReason) => {
    expect(observe(cpu, data)).toMatchObject({ result: 'unread', unreadReason });
  });

  test('is unread if every figure is zero, unless the VPS is off', () => {
    const zero = { cpu_percent: 0, memory_percent: 0 };
    expect(observe(cpu, zero)).toMatchObject({ result: 'unread', unreadReason: 'allZero' });
    expect(observe(cpu, { ...zero, status: 'stopped' })).toMatchObject({ result: 'recovered' });
    expect(observe(cpu, { cpu_percent: 0, memory_percent: 12 })).toMatchObject({ result: 'recovered' });
  });

  test('of traffic is unread if only one direction is certain', () => {
    const quiet: Condition = { measure: 'traffic', is: 'under', figure: 125_000, forMs: 0 };
    const oneWay = { network_in_bps: 8_000, network_out: 99_999_999 };
    expect(observe(quiet, oneWay)).toMatchObject({ result: 'unread', unreadReason: 'notShown' });
    const bothWays = { network_in_bps: 8_000, network_out_bps: 16_000 };
    expect(observe(quiet, bothWays)).toMatchObject({ result: 'met', figure: 3_000 });
  });

  test('is unread if the call failed', () => {
    expect(evaluateCondition(cpu, { atMs: 0 })).toMatchObject({ result: 'unread', unreadReason: 'failed' });
  });
});

const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ a: inner }), { cpu_percent: 97 });

describe('bad input neither opens nor closes an alert', () => {
  test.each<[string, unknown]>([
    ['5,000 fields', Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 97]))],
    ['30 levels', deep],
    ['a value of 5 MB', { cpu_percent: '9'.repeat(5 * 2 ** 20), status: 'x'.repeat(5 * 2 ** 20) }],
    ['__proto__', JSON.parse('{"__proto__":{"cpu_percent":97,"memory_percent":97}}')],
    ['NaN', { cpu_percent: Number.NaN, memory_percent: 'NaN' }],
    ['infinity', { cpu_percent: Number.POSITIVE_INFINITY, memory_percent: 'Infinity' }],
    ['-1000 %', { cpu_percent: -1_000, memory_percent: '-1000 %' }],
    ['5000 %', { cpu_percent: 5_000, memory_percent: '5000 %' }],
    ['more used than total', { memory: { used_mb: 5_000, total_mb: 50 } }],
    ['a counter', { cpu_seconds: 97_000, memory: 97 }],
    ['null', { cpu_percent: null, memory_percent: null, memory: null }],
    ['null for a list', { metrics: null, values: [null] }],
    ['a list for a number', { cpu_percent: [97, 98], memory_percent: [] }],
    ['two numbers that contradict each other', { cpu_percent: 97, cpu_usage_percent: 3, memory_percent: {} }],
  ])('%s', (_name, data) => {
    for (const measure of ['cpu', 'memory'] as const)
      expect(observe({ ...cpu, measure }, data)).toMatchObject({ result: 'unread' });
  });

  test('but a number as text is read', () => {
    expect(observe(cpu, { cpu_percent: '97' })).toMatchObject({ result: 'met', figure: 97 });
  });
});
