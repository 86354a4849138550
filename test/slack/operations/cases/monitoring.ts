import type { OperationCase } from '../operation-case.ts';

const vps = 'VPS-10004';

export const monitoringCases: readonly OperationCase[] = [
  {
    operation: 'live',
    command: 'live VPS-10004',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10004/monitoring/live' }],
    expectedTexts: [
      'worker-01 (VPS-10004) right now',
      'State: 🟢 running',
      /CPU: (9\d|100)%/,
      /Memory: \d\d% \([\d.]+ GiB of 16 GiB\)/,
      /Network in: .+\/s/,
      /Uptime: \d+ d/,
    ],
  },
  {
    operation: 'graph',
    command: 'graph VPS-10004',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10004/monitoring/rrd', query: { range: 'day' } }],
    expectedTexts: ['worker-01 (VPS-10004), last day', /CPU .*(9\d|100)%/],
  },
  {
    operation: 'graph',
    command: 'graph VPS-10004 week',
    form: { values: { vps, range: 'week' } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10004/monitoring/rrd', query: { range: 'week' } }],
    expectedTexts: ['worker-01 (VPS-10004), last week', /Network in/],
  },
];
