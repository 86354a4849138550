import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';
import { bob, readAuditRows, readTable, runCommand } from '../command-driver.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

describe('history', () => {
  test('shows who did what and how it ended, newest first, only to its actor', async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'show VPS-10002', /VPS-10002/, bob);
    await runCommand(running, 'reboot VPS-10001', /don't have permission/, bob);
    const answer = await runCommand(running, 'history --kind all', /Activity log/);
    expect(readAuditRows(answer)).toEqual([
      expect.stringMatching(/^bob \| 🚫 Refused \| Reboot web-01 \(VPS-10001\)/),
      'bob | ✅ Done | show web-02 (VPS-10002)',
      'alice | ✅ Done | show web-01 (VPS-10001)',
    ]);
    expect(readTable(answer)[0]?.[3]).toMatch(/don't have permission/);
    expect(readTable(answer)[1]?.[3]).toBe('–');
    expect(readTable(answer)[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(answer.ephemeral).toBe(true);
    expect(answer.pings).toEqual([]);
  });

  test('says nothing about a VPS that the person is not allowed to view', async () => {
    await running.close();
    running = await startStack({ grants: [] });
    await runCommand(running, 'alias VPS-10002 frontend', /frontend/);
    const textOf = async (vps: string) => {
      const { blocks } = await runCommand(running, `history ${vps}`, /No activity found/, bob);
      return JSON.stringify(blocks.slice(0, 2))
        .replaceAll(/"block_id":"[^"]*"/g, '')
        .replaceAll(vps, 'VPS');
    };
    const missing = await textOf('VPS-19999');
    expect([await textOf('VPS-10001'), await textOf('VPS-10002')]).toEqual([missing, missing]);
  });
});
