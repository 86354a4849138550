import { describe, expect, test } from 'vitest';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { answerOf, changeCalled, contextOf, readFrom } from '../answering.ts';

const answers = (data: unknown) => new Map([[listSshMappings, data]]);

describe('ssh list', () => {
  test.each([
    [
      'records in a field',
      { mappings: [{ vps_name: 'vps-10001', host: 'p.example', external_port: 2201, port_vps_ssh: 22 }] },
    ],
    ['a list', [{ vps: 'VPS-10001', proxy_host: 'p.example', proxy_port: '2201', ssh_port: '22' }]],
    ['a map by VPS', { 'VPS-10001': { hostname: 'p.example', public_port: 2201, internal_port: 22 } }],
  ])('shows %s', async (_, data) => {
    const { title, table, choose } = await answerOf('ssh list', {}, answers(data));
    expect(title).toBe('SSH to 1 VPS');
    expect(table?.rows).toEqual([['VPS-10001', { code: 'p.example:2201' }, '22']]);
    expect(choose?.map(({ operation }) => operation)).toEqual(['ssh set']);
  });

  test('shows a VPS of which nothing is told', async () => {
    const { table } = await answerOf('ssh list', {}, answers([{ vps_name: 'VPS-10001', host: null }]));
    expect(table?.rows).toEqual([['VPS-10001', 'not shown', 'not shown']]);
  });

  test('says that there are none', async () => {
    expect(await answerOf('ssh list', {}, answers({ mappings: [] }))).toMatchObject({
      title: 'No SSH ports',
      choose: [],
    });
  });
});

describe('ssh set', () => {
  test('shows the present port, and is bound to it', async () => {
    const present = (port: number) =>
      changeCalled('ssh set').present?.(
        contextOf(readFrom(answers([{ vps_name: 'VPS-10001', port_vps_ssh: port }]))),
        { vps: 'VPS-10001', port: 2222 },
      );
    expect((await present(22))?.facts).toEqual([{ label: 'SSH port now', value: '22' }]);
    expect((await present(22))?.state).not.toBe((await present(23))?.state);
  });
});
