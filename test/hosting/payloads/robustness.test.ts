import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBackupFtp } from '../../../src/hosting/payloads/backup-ftp.ts';
import { readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import { readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { readReinstallOptions } from '../../../src/hosting/payloads/reinstall-options.ts';
import { readSnapshots } from '../../../src/hosting/payloads/snapshots.ts';
import { readSshMappings, readSshPort } from '../../../src/hosting/payloads/ssh-mappings.ts';
import { readVlans } from '../../../src/hosting/payloads/vlans.ts';
import { readVps, readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { readWebgate } from '../../../src/hosting/payloads/webgate.ts';
import { redactOneTimeResult, redactResult } from '../../../src/hosting/secret-redaction.ts';
import { collectValues, profilePayload } from '../../arbitraries/profile-payload.ts';

/** Functions that return every value of the payload, in records or other fields. */
const lossless: readonly [string, (data: unknown) => unknown][] = [
  ['snapshots', readSnapshots],
  ['VLANs', readVlans],
  ['the WebGate', readWebgate],
  ['SSH mappings', readSshMappings],
  ['live data', readLiveMetrics],
  ['results', redactResult],
];

const all: readonly [string, (data: unknown) => unknown][] = [
  ...lossless,
  ['password results', (data) => redactOneTimeResult(data, [])],
  ['VPS', readVpsList],
  ['IP resources', readIpResources],
  ['systems', readReinstallOptions],
  ['one VPS', (data) => readVps(data, 'VPS-10001')],
  ['an SSH port', (data) => readSshPort(data, 'VPS-10001')],
  ['live data of one VPS', (data) => readLiveMetrics(data, 'VPS-10001')],
  ['a history', readRrdHistory],
  ['a history of one VPS', (data) => readRrdHistory(data, 'VPS-10001')],
  ['a backup FTP space', (data) => readBackupFtp(data)],
];

/** As deep as the client lets payloads be. */
const depth = 100;

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

/** About as many values as the client lets payloads have. */
const points = Array.from({ length: 16_000 }, (_, index) => [1_763_700_000 + index, index]);
const widePayload = { data: points, list: points.map(([timeS]) => timeS) };

describe('any payload', () => {
  test.each(all)('is read without an error by %s', (_, read) => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        const before = JSON.stringify(data);
        expect(read(data)).not.toBeNull();
        expect(JSON.stringify(data)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  test.each(all)('nested very deeply is read without an error by %s', (_, read) => {
    for (const payload of deepPayloads) expect(() => read(payload)).not.toThrow();
  });

  test.each(all)('with very many entries is read without an error by %s', (_, read) => {
    expect(() => read(widePayload)).not.toThrow();
  });
});

describe('no value is lost', () => {
  test.each(lossless)('by %s', (_, read) => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        const shownValues = collectValues(read(data));
        // What stands below a name that repeats a secret is shown with that name, as JSON.
        const named = [...shownValues].filter((text) => text.includes(': '));
        const isShown = (text: string) =>
          shownValues.has(text) || named.some((one) => one.includes(JSON.stringify(text).slice(1, -1)));
        expect([...collectValues(data)].filter((text) => !isShown(text))).toEqual([]);
      }),
      { numRuns: 100 },
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
      { numRuns: 100 },
    );
  });
});

/** Returns the CPU time of a call in µs, the shortest of three. */
function measureCpu(call: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    call();
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

/** A map by name, which is one record with many fields. */
const mapOf = (count: number, toEntry: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => toEntry(index)));

test.each<[string, (count: number) => unknown, (data: unknown) => unknown]>([
  [
    'systems',
    (count) => ({ images: mapOf(count, (id) => [`image-${id}`, { id, name: `Debian ${id}` }]) }),
    readReinstallOptions,
  ],
  [
    'VPS',
    (count) => ({ servers: mapOf(count, (id) => [`VPS-${id}`, { state: 'running', ip: '10.0.0.1' }]) }),
    readVpsList,
  ],
])('four times as many %s take about four times as long', (_, toPayload, read) => {
  const [few, many] = [1_200, 4_800].map((count) => measureCpu(() => read(toPayload(count))));
  // Comparing all entries with each other would take 16 times as long.
  expect((many ?? 0) / (few ?? 1)).toBeLessThan(10);
});
