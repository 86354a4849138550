import { describe, expect, test } from 'vitest';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { createContext, createStubRead, findChange, runRead } from '../operation-harness.ts';

const answers = (data: unknown) => new Map([[listSshMappings, data]]);

describe('ssh list', () => {
  test.each([
    [
      'records in a field',
      { mappings: [{ vps_name: 'vps-10001', host: 'p.example', external_port: 2201, port_vps_ssh: 22 }] },
    ],
    ['a list', [{ vps: 'VPS-10001', proxy_host: 'p.example', proxy_port: '2201', port_vps_ssh: '22' }]],
    ['a map by VPS', { 'VPS-10001': { host: 'p.example', public_port: 2201, internal_port: 22 } }],
  ])('shows %s', async (_, data) => {
    const { title, table, choiceSteps } = await runRead('ssh list', {}, answers(data));
    expect(title).toBe('SSH to 1 VPS');
    expect(table?.rows).toEqual([['VPS-10001', { kind: 'code', code: 'p.example:2201' }, '22']]);
    expect(choiceSteps?.map(({ operation }) => operation)).toEqual(['ssh set']);
  });

  test('gives the line that connects to one VPS', async () => {
    const data = { mappings: [{ vps_name: 'VPS-10001', host: 'p.example', external_port: 2201 }] };
    const connect = async (vps: string) => runRead('ssh list', { vps }, answers(data));
    expect((await connect('VPS-10001')).facts).toEqual([
      { label: 'Connect', value: { kind: 'code', code: 'ssh -p 2201 root@p.example' } },
    ]);
    expect((await connect('VPS-10002')).title).toBe('No SSH address found for VPS-10002');
  });

  test.each<[string, unknown, Record<string, unknown>]>([
    [
      'a port that it does not understand',
      [{ vps_name: 'VPS-10001', proxy: 'p.example:40001', port: 2222 }],
      { Port: '2222', Proxy: 'p.example:40001' },
    ],
    ['a number that can be either port', { 'VPS-10001': 40_001 }, { Port: '40001' }],
  ])('shows %s under its own name', async (_, data, more) => {
    const { table } = await runRead('ssh list', {}, answers(data));
    const cells = table?.columns.map((column, index) => [column, table.rows[0]?.[index]]);
    expect(Object.fromEntries(cells ?? [])).toEqual({
      VPS: 'VPS-10001',
      'Connect to': 'not shown',
      'SSH port on the VPS': 'not shown',
      ...more,
    });
  });
});

describe('ssh set', () => {
  test('shows the current port, and is bound to it', async () => {
    const present = (port: number) =>
      findChange('ssh set').readTargetState?.(
        createContext(createStubRead(answers([{ vps_name: 'VPS-10001', port_vps_ssh: port }]))),
        { vps: 'VPS-10001', port: 2222 },
      );
    expect((await present(22))?.facts).toEqual([{ label: 'SSH port now', value: '22' }]);
    expect((await present(22))?.fingerprint).not.toBe((await present(23))?.fingerprint);
  });

  test.each([
    ['22', 'Set SSH Port Back to 22'],
    ['2222', undefined],
    ['not shown', undefined],
    ['', undefined],
  ])('is undone if the port before, %s, is a known other one', (value, label) => {
    const before = [{ label: 'SSH port now', value }];
    const undo = findChange('ssh set').undo?.({ vps: 'VPS-10001', port: 2222 }, before);
    expect(undo?.label).toBe(label);
  });
});
