import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inferProfile } from '../../../../src/hosting/profile/service/infer.ts';
import { formatProfileFile, readProfileFile } from '../../../../src/hosting/profile/service/profile-file.ts';

function write(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a profile file', () => {
  test('contains the field of a reading, its unit, and readings that are not shown', () => {
    const readings = {
      'vps.list_state': { field: 'vps[].power.state' },
      'live.memory_used': { field: 'belegt', unit: 'mb' },
      'live.disk': null,
    };
    expect(readProfileFile(write({ version: 1, readings }))).toEqual([
      { reading: 'vps.list_state', field: 'vps[].power.state' },
      { reading: 'live.memory_used', field: 'belegt', unit: 'mb' },
      { reading: 'live.disk', field: '' },
    ]);
  });

  test.each([
    ['a file that is missing', '/nowhere/profile.json', /can't be read \(ENOENT\)/],
    ['text', write('{'), /is not JSON/],
    ['another version', write({ version: 2, readings: {} }), /is not a profile: version/],
    [
      'an unknown reading',
      write({ version: 1, readings: { 'live.cpux': null } }),
      /unknown readings: live.cpux/,
    ],
    [
      'an unknown unit',
      write({ version: 1, readings: { 'live.cpu': { field: 'a', unit: 'x' } } }),
      /live.cpu.unit/,
    ],
    [
      'a malformed field',
      write({ version: 1, readings: { 'live.cpu': { field: 'a..b' } } }),
      /no valid field for live.cpu/,
    ],
  ])('is rejected with %s', (_name, path, message) => {
    expect(() => readProfileFile(path)).toThrow(message);
  });

  test('can be read after it was written from a payload', () => {
    const payload = { vps: [{ name: 'VPS-10001', state: 'on' }] };
    const text = formatProfileFile(inferProfile('listVps', payload, '').findings);
    expect(readProfileFile(write(text))).toEqual([
      { reading: 'vps.names', field: 'vps[].name' },
      { reading: 'vps.list_state', field: 'vps[].state' },
    ]);
  });
});
