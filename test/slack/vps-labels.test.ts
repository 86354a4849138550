import { describe, expect, test } from 'vitest';
import { blocksText } from '../stack.ts';
import { useStack } from '../use-stack.ts';
import { findBareVpsNames } from './bare-vps-names.ts';
import { runCommand } from './command-driver.ts';

const running = useStack({}, 'group');

describe('every VPS is shown with its label', () => {
  test.each([
    ['list', /^12 VPS$/],
    ['ip list', /IP addresses$/],
    ['ips VPS-10001', /IP addresses|web-01/],
    ['ssh list', /^SSH to/],
    ['webgate', /^WebGate$/],
    ['vlan list VPS-10001', /VLAN/],
    ['snapshot list VPS-10001', /VPS-10001/],
    ['live VPS-10001', /VPS-10001/],
    ['show VPS-10001', /VPS-10001/],
  ])('by /vps %s', async (command, expected) => {
    const message = await runCommand(running, command, expected);
    expect(blocksText(message)).toContain('(VPS-10001)');
    expect(findBareVpsNames(message)).toEqual([]);
  });

  test.each([
    ['ip detach 198.18.0.10', /^Detach 198\.18\.0\.10 from web-01 \(VPS-10001\)\?/],
    ['domain delete shop.acme.example', /^Delete domain shop\.acme\.example\?/],
    ['port close 45020', /^Close port 45020\?/],
    ['lb delete www.acme.example', /^Delete load balancer/],
    ['vlan detach VPS-10001 backend', /^Detach web-01 \(VPS-10001\) from VLAN backend\?/],
  ])('by the card of /vps %s', async (command, expected) => {
    const card = await runCommand(running, command, expected);
    expect(blocksText(card)).toMatch(/\(VPS-\d+\)/);
    expect(findBareVpsNames(card)).toEqual([]);
  });
});
