import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRrdHistory } from '../../../src/hosting/profile/metrics/history/rrd-history.ts';
import { readLiveMetrics } from '../../../src/hosting/profile/metrics/live/live-metrics.ts';
import { readIpResources } from '../../../src/hosting/profile/resources/network/ip-resources.ts';
import { readSshMappings, readSshPort } from '../../../src/hosting/profile/resources/network/ssh-mappings.ts';
import { readVlans } from '../../../src/hosting/profile/resources/network/vlans.ts';
import { readWebgate } from '../../../src/hosting/profile/resources/network/webgate.ts';
import { readBackupFtp } from '../../../src/hosting/profile/resources/vps/backup-ftp.ts';
import { readReinstallOptions } from '../../../src/hosting/profile/resources/vps/reinstall-options.ts';
import { readSnapshots } from '../../../src/hosting/profile/resources/vps/snapshots.ts';
import { readVps, readVpsList } from '../../../src/hosting/profile/resources/vps/vps.ts';
import { redactOneTimeResult, redactResult } from '../../../src/hosting/secret-redaction.ts';
import { collectValues, profilePayload } from '../../arbitraries/profile-payload.ts';

/** Functions that return every value of the payload, in records or other fields. */
const lossless: readonly [string, (data: unknown) => unknown][] = [
  ['VPS', readVpsList],
  ['snapshots', readSnapshots],
  ['VLANs', readVlans],
  ['IP resources', readIpResources],
  ['the WebGate', readWebgate],
  ['SSH mappings', readSshMappings],
  ['systems', readReinstallOptions],
  ['live data', readLiveMetrics],
  ['results', redactResult],
];

const all: readonly [string, (data: unknown) => unknown][] = [
  ...lossless,
  ['password results', (data) => redactOneTimeResult(data, [])],
  ['one VPS', (data) => readVps(data, 'VPS-10001')],
  ['an SSH port', (data) => readSshPort(data, 'VPS-10001')],
  ['live data of one VPS', (data) => readLiveMetrics(data, 'VPS-10001')],
  ['VLANs of one VPS', (data) => readVlans(data, 'VPS-10001')],
  ['a history', readRrdHistory],
  ['a history of one VPS', (data) => readRrdHistory(data, 'VPS-10001')],
  ['a backup FTP space', readBackupFtp],
];

/** Deeper than any limit of the recursion. */
const depth = 50_000;

const deepPayloads = [
  ...['status', 'vps', 'data', 'next', 'delivery', 'credentials', 'meta'].map((field) =>
    nest((inner) => ({ [field]: inner })),
  ),
  nest((inner) => [inner]),
];

function nest(wrap: (inner: unknown) => unknown): unknown {
  let payload: unknown = {};
  for (let level = 0; level < depth; level += 1) payload = wrap(payload);
  return payload;
}

/** More entries than a function call can have arguments. */
const points = Array.from({ length: 150_000 }, (_, index) => [1_763_700_000 + index, index]);
const widePayload = { data: points, list: points.map(([timeS]) => timeS) };

describe('any payload', () => {
  test.each(all)('is read without an error by %s', (_, read) => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        const before = JSON.stringify(data);
        expect(read(data)).not.toBeNull();
        expect(JSON.stringify(data)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test.each(all)('nested very deeply is read without an error by %s', (_, read) => {
    for (const payload of deepPayloads) expect(() => read(payload)).not.toThrow();
  });

  test.each(all)('with very many entries is read without an error by %s', (_, read) => {
    expect(() => read(widePayload)).not.toThrow();
  });
});

/** Payloads in which a reader once lost a value. */
const examples: [unknown][] = [
  // The same value in two fields, only one of which becomes an operating system.
  [[[[{ vps_name: { vps_name: '10.0.0.5', password: '10.0.0.5' } }]]]],
  // Two operating systems with the same ID.
  [[[{ meta: 0 }, { meta: '10.0.0.5' }]]],
  [{ os: [{ id: 'debian-13', size_gb: 1 }], templates: [{ id: 'debian-13', size_gb: 2 }] }],
  [{ os: ['debian-13'], templates: ',' }],
  // The same VPS twice.
  [[{ 'VPS-10001': 'running' }, { 'VPS-10001': 'api' }]],
  [
    [
      {
        vps_name: {
          vps_name: { 'VPS-10001': 'ftp://u:hunter2@host' },
          target_port: { 'VPS-10001': '10.0.0.5' },
        },
      },
    ],
  ],
  [
    {
      duplicates: 1,
      items: [
        { name: 'VPS-10001', mem: 1 },
        { name: 'VPS-10001', mem: 2 },
        { name: 'VPS-10001', mem: 3 },
      ],
    },
  ],
  // The same address twice, in the same field.
  [[{ ip: '10.0.0.5' }, { ip: { address: '10.0.0.5' } }]],
  [
    [
      { ip: '10.0.0.5', mem: '' },
      { ip: '10.0.0.5', mem: '10.0.0.5' },
    ],
  ],
];

describe('no value is lost', () => {
  test.each(lossless)('by %s', (_, read) => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        const shownValues = collectValues(read(data));
        expect([...collectValues(data)].filter((text) => !shownValues.has(text))).toEqual([]);
      }),
      { numRuns: 300, examples },
    );
  });

  test('by password results', () => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        const result = redactOneTimeResult(data, []);
        const shownValues = collectValues(result);
        // An unusual name is part of the secret: `name: value`.
        const text = result.secrets.map(({ value }) => value.toLowerCase()).join('\n');
        const lost = [...collectValues(data)].filter((one) => !shownValues.has(one) && !text.includes(one));
        expect(lost).toEqual([]);
      }),
      { numRuns: 300, examples },
    );
  });
});
