import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findMappings } from '../../../src/hosting/payloads/found-mappings.ts';
import { formatMappingFile, readMappingFile } from '../../../src/hosting/payloads/mapping-file.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';

function write(content: unknown): string {
  const path = join(makeScratchDirectory('profile'), 'profile.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('a profile file', () => {
  test('contains the field of a value, its unit, and values that are not shown', () => {
    const values = {
      'vps.list_state': { field: 'vps[].power.state' },
      'live.memory_used': { field: 'belegt', unit: 'mb' },
      'live.disk': null,
    };
    expect(readMappingFile(write({ version: 1, values }))).toEqual([
      { value: 'vps.list_state', field: 'vps[].power.state' },
      { value: 'live.memory_used', field: 'belegt', unit: 'mb' },
      { value: 'live.disk', field: '' },
    ]);
  });

  test.each([
    ['a file that is missing', '/nowhere/profile.json', /can't be read \(ENOENT\)/],
    ['text', write('{'), /is not JSON/],
    ['another version', write({ version: 2, values: {} }), /is not a profile: version/],
    ['an unknown value', write({ version: 1, values: { 'live.cpux': null } }), /unknown values: live.cpux/],
    [
      'an unknown unit',
      write({ version: 1, values: { 'live.cpu': { field: 'a', unit: 'x' } } }),
      /live.cpu.unit/,
    ],
    [
      'a malformed field',
      write({ version: 1, values: { 'live.cpu': { field: 'a..b' } } }),
      /no valid field for live.cpu/,
    ],
  ])('is rejected with %s', (_name, path, message) => {
    expect(() => readMappingFile(path)).toThrow(message);
  });

  test('can be read after it was written from a payload', () => {
    const payload = { vps: [{ name: 'VPS-10001', state: 'on' }] };
    const text = formatMappingFile(findMappings('listVps', payload, '').mappings);
    expect(readMappingFile(write(text))).toEqual([
      { value: 'vps.names', field: 'vps[].name' },
      { value: 'vps.list_state', field: 'vps[].state' },
    ]);
  });
});
