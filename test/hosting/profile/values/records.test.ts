import { describe, expect, test } from 'vitest';
import { readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';
import { findState } from '../../../../src/hosting/profile/values/records.ts';

const stateOf = (fields: object) => readVpsList([{ vps_name: 'VPS-10001', ...fields }]).vps[0]?.state;

describe('the state of a VPS', () => {
  test.each<[object, string | undefined]>([
    [{ power: { state: 'off' } }, 'off'],
    [{ status: { power: { state: 'off' } } }, 'off'],
    [{ instance: { status: 'stopped' } }, 'stopped'],
    [{ vm: { power_state: 'poweredOff' } }, 'poweredOff'],
    [{ runtime: { state: 'halted' } }, 'halted'],
    [{ power: 'off' }, 'off'],
    [{ status: 'active', power_status: 'stopped' }, 'stopped'],
    [{ status: 'active' }, 'active'],
    [{ state: 'reinstalling', power_state: 'on' }, 'reinstalling'],
    [{ status: 'success', vmstat: 'online' }, 'online'],
    [{ status: 'success' }, undefined],
    [{ disk: { state: 'ok' } }, undefined],
    [{ node: { status: 'online' } }, undefined],
  ])('is the word for its power state: %j', (fields, state) => {
    expect(stateOf(fields)).toBe(state);
  });

  test('is not that of a part if the record describes something else', () => {
    expect(findState({ name: 'nightly', vm: { state: 'running' } })).toBeUndefined();
    expect(findState({ status: 'success' })).toBe('success');
  });
});
