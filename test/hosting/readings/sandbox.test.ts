import { describe, expect, test } from 'vitest';
import { getBackupFtp, setBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import { listIpv4Addresses, listIpv6Addresses } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { listVlans } from '../../../src/hosting/endpoints/vlan.ts';
import * as vpsEndpoints from '../../../src/hosting/endpoints/vps.ts';
import { getWebgate } from '../../../src/hosting/endpoints/webgate.ts';
import { readBackupFtp } from '../../../src/hosting/readings/backup-ftp.ts';
import { readIpResources } from '../../../src/hosting/readings/ip-resources.ts';
import { readLive } from '../../../src/hosting/readings/live.ts';
import { readReinstallOptions } from '../../../src/hosting/readings/reinstall.ts';
import { readPasswordResult } from '../../../src/hosting/readings/results.ts';
import { readRrd } from '../../../src/hosting/readings/rrd.ts';
import { readSnapshots } from '../../../src/hosting/readings/snapshots.ts';
import { readSshMappings } from '../../../src/hosting/readings/ssh.ts';
import { readVlans } from '../../../src/hosting/readings/vlans.ts';
import { readWebgate } from '../../../src/hosting/readings/webgate.ts';
import { startSandbox } from '../../sandbox/hosting/running-sandbox.ts';
import { createCalling, people } from '../calling.ts';

const params = { vps_name: 'VPS-10001' };

describe('what the sandbox serves', () => {
  test('is read whole', async () => {
    const { client } = await createCalling((await startSandbox()).url);

    const live = readLive(await client.call(getLiveMonitoring, { params }, people), 'VPS-10001');
    expect(live).toMatchObject({ state: 'running', memoryTotalBytes: expect.any(Number) });
    expect(live.cpuPercent).toBeGreaterThan(0);
    expect(live.memoryPercent).toBeLessThan(100);
    expect(live.others.map(({ path }) => path)).toEqual([['maxcpu']]);

    const rrd = readRrd(await client.call(getRrdMonitoring, { params, query: { range: 'day' } }, people));
    expect(rrd.series.map(({ measure }) => measure)).toEqual([
      'cpu',
      undefined,
      ...['memoryUsed', 'memoryTotal', 'diskUsed', 'diskTotal'],
      ...['networkIn', 'networkOut', 'diskRead', 'diskWrite', 'memory', 'disk'],
    ]);
    expect(new Set(rrd.series.map(({ points }) => points.length))).toEqual(new Set([96]));
    expect(rrd.rest).toEqual({ vps_name: 'VPS-10001', range: 'day' });

    const snapshots = readSnapshots(await client.call(listSnapshots, { params }, people));
    expect(Object.keys(snapshots.rest)).toContain('snapshot_quota');

    const { vlans, ipOfVps } = readVlans(await client.call(listVlans, { params }, people));
    expect(vlans.map(({ name, attached }) => [name, attached])).toEqual([
      ['backend', true],
      ['staging', false],
    ]);
    expect(ipOfVps).toBe('10.20.0.1');

    const ipv4 = readIpResources(await client.call(listIpv4Addresses, {}, people)).resources;
    const ipv6 = readIpResources(await client.call(listIpv6Addresses, {}, people)).resources;
    expect([ipv4.length, ipv6.length]).toEqual([17, 17]);
    expect(ipv4.filter(({ vpsName }) => vpsName === undefined)).toHaveLength(4);
    const own = readIpResources(
      await client.call(vpsEndpoints.listVpsIpAddresses, { params }, people),
    ).resources;
    expect(own.map(({ kind, vpsName }) => [kind, vpsName])).toEqual([
      ...[
        ['ipv4', 'VPS-10001'],
        ['ipv4', 'VPS-10001'],
      ],
      ...[
        ['ipv6', 'VPS-10001'],
        ['ipv6', 'VPS-10001'],
      ],
    ]);

    const webgate = readWebgate(await client.call(getWebgate, {}, people));
    expect([webgate.domains.length, webgate.ports.length, webgate.loadBalancers[0]?.backends.length]).toEqual(
      [2, 1, 2],
    );
    expect(Object.keys(webgate.rest)).toEqual(['quotas', 'usage']);

    expect(readSshMappings(await client.call(listSshMappings, {}, people)).mappings[0]).toMatchObject({
      vpsName: 'VPS-10001',
      port: 22,
      host: 'ssh-proxy.example.net',
    });

    const options = readReinstallOptions(
      await client.call(vpsEndpoints.getReinstallOptions, { params }, people),
    );
    expect(options.systems[0]).toMatchObject({ os: 'debian-13', label: 'Debian 13' });
    expect([options.systems.length, options.deliveries]).toEqual([6, ['api', 'email']]);
  });

  test('has its secrets taken apart', async () => {
    const { client } = await createCalling((await startSandbox()).url);
    await client.call(setBackupFtp, { params, body: { enabled: true } }, people);
    const space = readBackupFtp(await client.call(getBackupFtp, { params }, people));
    expect(space).toMatchObject({ active: true, quotaBytes: expect.any(Number), shown: { state: 'active' } });
    expect(space.credentials.map(({ path }) => path.at(-1))).toEqual(['host', 'port', 'user', 'password']);

    const body = { delivery: 'api' };
    const result = readPasswordResult(
      await client.call(vpsEndpoints.resetRootPassword, { params, body }, people),
    );
    expect(result.shown).toEqual({ vps_name: 'VPS-10001', delivery: 'api' });
    expect(result.secrets.map(({ path }) => path)).toEqual([['root_password']]);
  });
});
