import { expect, test } from 'vitest';
import { listVps } from '../../../../src/hosting/endpoints/vps.ts';
import type { OperationContext } from '../../../../src/operations/define/operation.ts';
import { resolveVpsName } from '../../../../src/runs/pipeline/names/resolve-vps-name.ts';
import { createContext, createStubRead } from '../../../operations/operation-harness.ts';

const toVps = (number: number, hostname: string) => ({ vps_name: `VPS-${number}`, hostname });

const fleet = [
  toVps(1, 'web-01.acme.example'),
  toVps(2, 'db.acme.example'),
  toVps(3, 'db.globex.example'),
  ...[4, 5, 6, 7, 8, 9, 10].map((number) => toVps(number, `cache.team-${number}.example`)),
];

/** Resolves a name in a workspace that calls VPS-77, which the service doesn't list anymore, `old`. */
function resolve(name: string, more: Partial<OperationContext> = {}) {
  const context = createContext(createStubRead(new Map([[listVps, { vps: fleet }]])));
  const workspace = { teamId: 'T1', listVpsAliases: async () => new Map([['VPS-77', 'old']]) };
  return resolveVpsName(name, { ...context, workspace, ...more });
}

test.each([
  ['web-01', { value: 'VPS-1', text: 'web-01 (VPS-1)' }],
  ['vps-1', { value: 'VPS-1', text: 'web-01 (VPS-1)' }],
  ['db.globex.example', { value: 'VPS-3', text: 'db.globex.example (VPS-3)' }],
  ['VPS-99', { value: 'VPS-99', text: 'VPS-99' }],
  ['old', { value: 'VPS-77', text: 'old (VPS-77)' }],
])('%s names one VPS', async (name, vps) => {
  expect(await resolve(name)).toMatchObject(vps);
});

test('a name that several VPS have, or none, is refused', async () => {
  await expect(resolve('db')).rejects.toMatchObject({
    code: 'input_invalid',
    message: expect.stringMatching(
      /^"db" could mean more than one VPS: .*\(VPS-2\).* and .*\(VPS-3\).*\. Type the VPS name of the one you mean\.$/,
    ),
  });
  await expect(resolve('cache')).rejects.toThrow(/VPS-8\).* and 2 more\. Type/);
  await expect(resolve('mail')).rejects.toThrow(/^Rackhand found no VPS called "mail"\.?$/);
  await expect(
    resolve('mail', { read: () => Promise.reject(new Error('the service is away')) }),
  ).rejects.toThrow('the service is away');
});
