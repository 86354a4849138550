import { describe, expect, test } from 'vitest';
import { listVlans } from '../../../src/hosting/endpoints/vlans.ts';
import { findChoice } from '../../../src/operations/choices/matching/find-choice.ts';
import {
  attachableVlanChoices,
  attachedVlanChoices,
  vlanChoices,
} from '../../../src/operations/choices/sources/vlans.ts';
import type { RequiredAccess } from '../../../src/operations/define/access/access.ts';
import { listMembers } from '../../../src/operations/vlan/vlan-facts.ts';
import {
  createContext,
  createStubRead,
  findChange,
  runRead,
  serializePublicPart,
} from '../operation-harness.ts';

const vps = 'VPS-10001';
const backend = { id: 'v-1', name: 'backend', ip_range: '10.20.0.0/24', vps: ['VPS-10001', 'vps-10002'] };
const staging = { id: 'v-2', name: 'staging', ip_range: '10.30.0.0/24', vps: [] };
const state = { vlans: [backend, staging], vlan_quota: 5, vlan_id: 'v-1', vlan_ip: '10.20.0.7' };

const answers = (data: unknown) => new Map([[listVlans, data]]);

describe('the VPS in a VLAN', () => {
  test.each([
    ['a list of names', { vps: ['vps-1', 'VPS-2'] }],
    ['a list of records', { members: [{ vps_name: 'VPS-1', ip: '10.0.0.1' }, { vps_name: 'VPS-2' }] }],
    ['a map by name', { addresses: { 'VPS-1': '10.0.0.1', 'vps-2': null } }],
    ['in a record of its own', { attached: { to: { servers: ['VPS-1', 'VPS-2', 'VPS-1'] } } }],
  ])('are found as %s', (_, record) => {
    expect(listMembers(record)).toEqual(['VPS-1', 'VPS-2']);
  });
});

describe('a VLAN', () => {
  const find = (source: typeof vlanChoices, name: string, data: unknown = state) =>
    findChoice(source, name, { vps }, createStubRead(answers(data)));

  test('is known by its name, its range and its ID', async () => {
    for (const name of ['Staging', '10.30.0.0/24', 'v-2']) {
      expect(await find(vlanChoices, name)).toMatchObject({ kind: 'known', choice: { value: 'v-2' } });
    }
  });

  test('can be attached if the VPS is not in it, and detached if it is', async () => {
    expect(await find(attachableVlanChoices, 'backend')).toEqual({ kind: 'unknown' });
    expect(await find(attachedVlanChoices, 'staging')).toEqual({ kind: 'unknown' });
    expect(await find(attachedVlanChoices, 'backend')).toMatchObject({ kind: 'known' });
  });
});

describe('vlan list', () => {
  test('shows the VLANs, the quotas and the VLAN IP', async () => {
    const answer = await runRead('vlan list', { vps }, answers(state));
    expect(answer.title).toBe('2 VLANs');
    expect(answer.facts).toEqual([
      { label: 'VLAN of VPS-10001', value: 'backend' },
      { label: 'VLAN IP of VPS-10001', value: { kind: 'code', code: '10.20.0.7' } },
      { label: 'VLAN quota', value: '5' },
    ]);
    expect(answer.choiceSteps?.map(({ operation }) => operation)).toEqual([
      'vlan attach',
      'vlan detach',
      'vlan delete',
    ]);
  });

  test.each([
    [{ vlans: [staging], vlan_ip: null }, 'none'],
    [{ vlans: [staging], nic_4: '10.30.0.9' }, 'not shown'],
    [{ vlans: [staging] }, 'not shown'],
  ])('says that there is no VLAN IP only if the service says so: %j', async (data, ip) => {
    const { facts } = await runRead('vlan list', { vps }, answers(data));
    expect(facts).toContainEqual({ label: 'VLAN IP of VPS-10001', value: ip });
  });
});

describe("a person who can't view every VPS", () => {
  /** Can view VPS-10001 only. */
  const loadAccess = async () => (need: RequiredAccess) =>
    need.vps.length > 0 && need.vps.every((name) => name === vps)
      ? undefined
      : { message: 'You lack the right.', advice: 'Ask.' };

  test.each([
    ['a list of names', { vps: ['VPS-10001', 'vps-10002'] }],
    [
      'a list of records',
      { members: [{ vps_name: 'VPS-10001' }, { vps_name: 'VPS-10002', ip: '10.20.0.8' }] },
    ],
    ['a map by name', { addresses: { 'VPS-10001': '10.20.0.7', 'VPS-10002': '10.20.0.8' } }],
    ['a field of its own', { vps: ['VPS-10001'], gateway: { server: 'VPS-10002', seat: '10.20.0.8' } }],
  ])('does not see the others in a VLAN, written as %s', async (_, members) => {
    const data = {
      vlans: [{ ...backend, vps: undefined, ...members }],
      vlan_quota: 5,
      used_by: ['VPS-10003'],
    };
    const listed = await runRead('vlan list', { vps }, answers(data), { loadAccess });
    expect(listed.table?.rows[0]?.slice(0, 3)).toEqual(['backend', '10.20.0.0/24', 'VPS-10001']);
    expect(listed.notes).toContain('Only VPS you have access to are listed.');
    const context = { ...createContext(createStubRead(answers(data))), loadAccess };
    const present = await findChange('vlan detach').readTargetState?.(context, { vps, vlan: 'v-1' });
    expect(present?.facts).toContainEqual({ label: 'Attached VPS', value: 'VPS-10001' });
    for (const shown of [serializePublicPart(listed), JSON.stringify(present)])
      expect(shown).not.toMatch(/1000[23]|10\.20\.0\.8/);
  });
});

describe('vlan delete', () => {
  test('shows which VPS are in it, and asks again if they have changed, but not if only a counter has', async () => {
    const present = async (data: unknown) =>
      findChange('vlan delete').readTargetState?.(createContext(createStubRead(answers(data))), {
        vps,
        vlan: 'v-1',
      });
    const before = await present(state);
    const joined = await present({ ...state, vlans: [{ ...backend, vps: ['VPS-10001', 'VPS-10005'] }] });
    const counted = await present({ ...state, vlans: [{ ...backend, bytes_today: 7 }] });
    expect(before?.facts).toContainEqual({ label: 'Attached VPS', value: 'VPS-10001, VPS-10002' });
    expect(joined?.fingerprint).not.toBe(before?.fingerprint);
    expect(counted?.fingerprint).toBe(before?.fingerprint);
    expect(counted?.facts).toContainEqual({ label: 'Bytes today', value: '7' });
  });
});

describe('vlan create', () => {
  test.each([
    ['the VLAN itself', { id: 'v-9', name: 'office', ip_range: '10.40.0.0/24' }],
    ['the VLAN in a field', { vlan: { id: 'v-9', ip_range: '10.40.0.0/24' } }],
  ])('has a button for the new VLAN if the service responds with %s', (_, data) => {
    const input = { vps, name: 'office', ip_range: '10.40.0.0/24' };
    const [attach] = findChange('vlan create').outcome(data, input).next ?? [];
    expect(attach).toMatchObject({ operation: 'vlan attach', input: { vps, vlan: 'v-9' } });
  });
});
