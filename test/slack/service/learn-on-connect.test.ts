import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { readTable } from '../command-driver.ts';
import { createKeyModalDriver, type KeyModalDriver } from '../modals/api-key/api-key-driver.ts';

const vlanReply = z.looseObject({ data: z.looseObject({ vlan_id: z.string() }) });

let running: RunningStack;
let vlan = { vlan_id: '' };
let gwen: KeyModalDriver;

beforeAll(async () => {
  running = await startStack();
  gwen = createKeyModalDriver(running.slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
});
afterAll(() => running.close());

/** Calls the service with the full key, without the app. */
async function callService(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${running.service.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-full' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return response.json();
}

/** Returns the fields that were learned for a value. An unknown field is answered with a list of them. */
async function listLearnedFields(value: string): Promise<string> {
  await gwen.type(`service set ${value} no_such_field_of_the_service`);
  return blocksText(await gwen.says('in the payload'));
}

test('connecting a key reads one payload of each kind and stores where the values are', async () => {
  const { data } = vlanReply.parse(await callService('GET', '/v1/vps/VPS-10001/vlan'));
  vlan = { vlan_id: data.vlan_id };
  await callService('POST', '/v1/vps/VPS-10001/vlan/detach', vlan);
  const before = (await running.service.calls()).length;
  await gwen.type('connect');
  await gwen.send('sandbox-key-full');
  await gwen.shows('Connected to ');
  await expect.poll(async () => (await running.service.calls()).length).toBe(before + 13);
  await gwen.type('service');
  const rows = readTable(await gwen.says('values were found'));
  const found = new Map(rows.map(([, field, , how, id]) => [id, [field, how]]));
  expect(found.get('vps.list_state')).toEqual(['vps[].state', 'certain']);
  expect(found.get('live.cpu')?.[0]).toBe('cpu');
  expect(found.get('rrd.network_in')?.[0]).toBe('netin');
  expect(found.get('snapshot.time')?.[1]).toBe('certain');
});

test('a payload with other fields is learned from when it is read', async () => {
  expect(await listLearnedFields('vlan.ip')).not.toContain('vlan_ip');
  await callService('POST', '/v1/vps/VPS-10001/vlan/attach', vlan);
  // The payload that was read in the background is still cached for a minute.
  await expect
    .poll(async () => {
      await gwen.type('vlan list VPS-10001');
      await gwen.says('VLAN');
      return listLearnedFields('vlan.ip');
    })
    .toContain('vlan_ip');
});
