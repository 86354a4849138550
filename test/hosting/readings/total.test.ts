import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBackupFtp } from '../../../src/hosting/readings/backup-ftp.ts';
import { readIpResources } from '../../../src/hosting/readings/ip-resources.ts';
import { readLive } from '../../../src/hosting/readings/live.ts';
import { readReinstallOptions } from '../../../src/hosting/readings/reinstall.ts';
import { readPasswordResult, readResultSecrets } from '../../../src/hosting/readings/results.ts';
import { readRrd } from '../../../src/hosting/readings/rrd.ts';
import { readSnapshots } from '../../../src/hosting/readings/snapshots.ts';
import { readSshMappings, readSshPort } from '../../../src/hosting/readings/ssh.ts';
import { readVlans } from '../../../src/hosting/readings/vlans.ts';
import { readVps, readVpsList } from '../../../src/hosting/readings/vps.ts';
import { readWebgate } from '../../../src/hosting/readings/webgate.ts';
import { everythingIn, payload } from './whole.ts';

/** Readings that keep what they read, in records and in what came beside them. */
const lossless: readonly [string, (data: unknown) => unknown][] = [
  ['VPS', readVpsList],
  ['snapshots', readSnapshots],
  ['VLANs', readVlans],
  ['IP resources', readIpResources],
  ['the WebGate', readWebgate],
  ['SSH mappings', readSshMappings],
  ['systems', readReinstallOptions],
  ['live data', readLive],
  ['results', readResultSecrets],
  ['password results', readPasswordResult],
];

const all: readonly [string, (data: unknown) => unknown][] = [
  ...lossless,
  ['one VPS', (data) => readVps(data, 'VPS-10001')],
  ['an SSH port', (data) => readSshPort(data, 'VPS-10001')],
  ['live data of one VPS', (data) => readLive(data, 'VPS-10001')],
  ['VLANs of one VPS', (data) => readVlans(data, 'VPS-10001')],
  ['a history', readRrd],
  ['a history of one VPS', (data) => readRrd(data, 'VPS-10001')],
  ['a backup FTP space', readBackupFtp],
];

describe('no payload breaks a reading', () => {
  test.each(all)('of %s', (_, read) => {
    fc.assert(
      fc.property(payload, (data) => {
        const before = JSON.stringify(data);
        expect(read(data)).not.toBeNull();
        expect(JSON.stringify(data)).toBe(before);
      }),
      { numRuns: 1_500 },
    );
  });

  test.each(all)('of %s, however deep it is nested', (_, read) => {
    for (const field of ['status', 'vps', 'data', 'next', 'delivery', 'credentials', 'meta']) {
      let nested: unknown = {};
      let listed: unknown = [];
      for (let depth = 0; depth < 50_000; depth += 1) {
        nested = { [field]: nested };
        listed = [listed];
      }
      expect(() => read(nested)).not.toThrow();
      expect(() => read(listed)).not.toThrow();
    }
  });

  test.each(all)('of %s, however wide it is', (_, read) => {
    const wide = Array.from({ length: 150_000 }, (__, index) => [1_763_700_000 + index, index]);
    expect(() => read({ data: wide, list: wide.flat() })).not.toThrow();
  });
});

describe('nothing is lost from a reading', () => {
  test.each(lossless)('of %s', (_, read) => {
    fc.assert(
      fc.property(payload, (data) => {
        const kept = everythingIn(read(data));
        expect([...everythingIn(data)].filter((text) => !kept.has(text))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});
