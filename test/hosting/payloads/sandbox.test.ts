import { describe, expect, test } from 'vitest';
import { getBackupFtp, setBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import { listIpv4Addresses, listIpv6Addresses } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { listVlans } from '../../../src/hosting/endpoints/vlans.ts';
import * as vpsEndpoints from '../../../src/hosting/endpoints/vps.ts';
import { getWebgate } from '../../../src/hosting/endpoints/webgate.ts';
import { readBackupFtp } from '../../../src/hosting/payloads/backup-ftp.ts';
import { readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import { readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { readReinstallOptions } from '../../../src/hosting/payloads/reinstall-options.ts';
import { readSnapshots } from '../../../src/hosting/payloads/snapshots.ts';
import { readSshMappings } from '../../../src/hosting/payloads/ssh-mappings.ts';
import { readVlans } from '../../../src/hosting/payloads/vlans.ts';
import { readWebgate } from '../../../src/hosting/payloads/webgate.ts';
import { redactOneTimeResult } from '../../../src/hosting/secret-redaction.ts';
import { startHostingSandbox } from '../../sandbox/hosting/hosting-sandbox-fixture.ts';
import { createClientHarness, peopleCall } from '../client/client-harness.ts';

const params = { vps_name: 'VPS-10001' };

describe('the payloads of the sandbox', () => {
  test('reads every payload of the sandbox completely', async () => {
    const { client } = await createClientHarness((await startHostingSandbox()).url);

    const live = readLiveMetrics(await client.call(getLiveMonitoring, { params }, peopleCall), 'VPS-10001');
    expect(live).toMatchObject({ state: 'running', memoryTotalBytes: expect.any(Number) });
    expect(live.cpuPercent).toBeGreaterThan(0);
    expect(live.memoryPercent).toBeLessThan(100);
    expect(live.unrecognized.map(({ path }) => path)).toEqual([['maxcpu']]);

    const rrd = readRrdHistory(
      await client.call(getRrdMonitoring, { params, query: { range: 'day' } }, peopleCall),
    );
    expect(rrd.series.map(({ metric }) => metric)).toEqual([
      ...['cpu', 'memoryUsed', 'memoryTotal', 'diskUsed', 'diskTotal'],
      ...['networkIn', 'networkOut', 'diskRead', 'diskWrite', 'memory', 'disk', undefined],
    ]);
    expect(new Set(rrd.series.map(({ points }) => points.length))).toEqual(new Set([96]));
    expect(rrd.otherFields).toEqual({ vps_name: 'VPS-10001', range: 'day' });

    const snapshots = readSnapshots(await client.call(listSnapshots, { params }, peopleCall));
    expect(Object.keys(snapshots.otherFields)).toContain('snapshot_quota');

    const { vlans, vpsIp } = readVlans(await client.call(listVlans, { params }, peopleCall));
    expect(vlans.map(({ name, isAttached }) => [name, isAttached])).toEqual([
      ['backend', true],
      ['staging', false],
    ]);
    expect(vpsIp).toBe('10.20.0.1');

    const ipv4 = readIpResources(await client.call(listIpv4Addresses, {}, peopleCall)).resources;
    const ipv6 = readIpResources(await client.call(listIpv6Addresses, {}, peopleCall)).resources;
    expect([ipv4.length, ipv6.length]).toEqual([17, 17]);
    expect(ipv4.filter(({ vpsName }) => vpsName === undefined)).toHaveLength(4);
    const own = readIpResources(
      await client.call(vpsEndpoints.listVpsIpAddresses, { params }, peopleCall),
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

    const webgate = readWebgate(await client.call(getWebgate, {}, peopleCall));
    expect([webgate.domains.length, webgate.ports.length, webgate.loadBalancers[0]?.backends.length]).toEqual(
      [2, 1, 2],
    );
    expect(Object.keys(webgate.otherFields)).toEqual(['quotas', 'usage']);

    expect(readSshMappings(await client.call(listSshMappings, {}, peopleCall)).mappings[0]).toMatchObject({
      vpsName: 'VPS-10001',
      port: 22,
      host: 'ssh-proxy.example.net',
    });

    const options = readReinstallOptions(
      await client.call(vpsEndpoints.getReinstallOptions, { params }, peopleCall),
    );
    expect(options.operatingSystems[0]).toMatchObject({ os: 'debian-13', label: 'Debian 13' });
    expect([options.operatingSystems.length, options.deliveries]).toEqual([6, ['api', 'email']]);
  });

  test('separates the secrets of the sandbox', async () => {
    const { client } = await createClientHarness((await startHostingSandbox()).url);
    await client.call(setBackupFtp, { params, body: { enabled: true } }, peopleCall);
    const space = readBackupFtp(await client.call(getBackupFtp, { params }, peopleCall));
    expect(space).toMatchObject({
      isActive: true,
      quotaBytes: expect.any(Number),
      redacted: { state: 'active' },
    });
    expect(space.credentials.map(({ path }) => path.at(-1))).toEqual(['host', 'port', 'user', 'password']);

    const body = { delivery: 'api' };
    const reset = await client.call(vpsEndpoints.resetRootPassword, { params, body }, peopleCall);
    const result = redactOneTimeResult(reset, ['VPS-10001', 'api']);
    expect(result.redacted).toEqual({ vps_name: 'VPS-10001', delivery: 'api' });
    expect(result.secrets.map(({ path }) => path)).toEqual([['root_password']]);
  });
});
