import { describe, expect, test } from 'vitest';
import { getWebgate } from '../../../src/hosting/endpoints/webgate.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { findWarning, requiresConfirmation } from '../../../src/operations/define/inspect-operation.ts';
import { parseFingerprint } from '../../../src/operations/format/target-state.ts';
import { createContext, createStubRead, findChange, runRead } from '../operation-harness.ts';

const port = { id: 3, vps_name: 'VPS-10005', protocol: 'tcp', target_port: 5432, external_port: 45020 };
const balancer = {
  domain_name: 'www.example.com',
  mode: 'roundrobin',
  backends: [
    { vps_name: 'VPS-10001', target_port: 80, weight: 2, is_backup: false },
    { vps_name: 'VPS-10002', target_port: 80, is_backup: true, status: 'down' },
  ],
};
const state = {
  quotas: { domains: 10, load_balancers: 5, wildcards: 1 },
  usage: { domains: 1, load_balancers: 1, traffic: '3 GB' },
  domains: [{ domain_name: 'shop.example.com', vps_name: 'VPS-10001' }],
  dedicated_ports: [port],
  load_balancers: [balancer],
};

const answers = (data: unknown) => new Map([[getWebgate, data]]);
const show = (data: unknown) => runRead('webgate', {}, answers(data));

describe('webgate', () => {
  test('shows one part, or what has a name', async () => {
    const rows = async (raw: RawInput) => (await runRead('webgate', raw, answers(state))).table?.rows;
    expect(await rows({ part: 'ports' })).toHaveLength(1);
    expect(await rows({ part: 'lbs', name: 'WWW.' })).toHaveLength(1);
    expect(await rows({ part: 'lbs', name: 'other' })).toEqual([]);
  });

  test('shows usage beside its quota, what has no counterpart separately, and other fields of each part', async () => {
    expect((await show(state)).facts).toEqual([
      { label: 'Domains', value: '1 of 10' },
      { label: 'Load balancers', value: '1 of 5' },
      { label: 'Quotas wildcards', value: '1' },
      { label: 'Usage traffic', value: '3 GB' },
      { label: 'Port 45020', value: 'ID: 3' },
      { label: 'www.example.com', value: 'Mode: roundrobin' },
    ]);
  });
});

describe('lb delete', () => {
  const present = (data: unknown) =>
    findChange('lb delete').readTargetState?.(createContext(createStubRead(answers(data))), {
      domain: 'www.example.com',
    });

  test('shows each backend, and is bound to them', async () => {
    const shown = await present(state);
    expect(shown?.facts.slice(0, 2)).toEqual([
      { label: 'Backend 1', value: 'VPS-10001:80, weight 2' },
      { label: 'Backend 2', value: 'VPS-10002:80 (backup, down)' },
    ]);
    const other = { ...state, load_balancers: [{ ...balancer, backends: [balancer.backends[0]] }] };
    expect((await present(other))?.fingerprint).not.toBe(shown?.fingerprint);
  });
});

describe('lb delete', () => {
  const settings = {
    mode: 'roundrobin',
    sticky_mode: 'cookie',
    health_check_path: '/up',
    redirect_https: true,
    websocket_enabled: false,
  };
  const undoOf = async (record: object) => {
    const remove = findChange('lb delete');
    const input = { domain: 'www.example.com' };
    const read = createStubRead(answers({ load_balancers: [{ ...balancer, ...record }] }));
    const { fingerprint = '' } = (await remove.readTargetState?.(createContext(read), input)) ?? {};
    return remove.undo?.(input, parseFingerprint(fingerprint));
  };

  test('can be undone with all of its settings', async () => {
    const create = findChange('lb create');
    const undo = await undoOf({ ...settings, dedicated_port_id: 0 });
    const parsed = parseInput(create, undo?.input ?? {});
    if (parsed.kind !== 'valid') throw new Error(JSON.stringify(parsed));
    expect(create.request(parsed.input)).toMatchObject({
      body: {
        domain_name: 'www.example.com',
        ...settings,
        backends: [
          { vps_name: 'VPS-10001', target_port: 80, weight: 2 },
          { vps_name: 'VPS-10002', target_port: 80, is_backup: true },
        ],
      },
    });
  });

  test('is confirmed with the labels of the form that creates it, each setting once', async () => {
    const data = { load_balancers: [{ ...balancer, ...settings }] };
    const target = await findChange('lb delete').readTargetState?.(
      createContext(createStubRead(answers(data))),
      { domain: balancer.domain_name },
    );
    const labels = target?.facts.map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['Stickiness', 'Redirect HTTP to HTTPS', 'Allow WebSocket']),
    );
    expect(labels).not.toContain('Sticky mode');
  });

  test('is not undone if the service shows only a part of it', async () => {
    expect(await undoOf({ ...settings, sticky_mode: undefined })).toBeUndefined();
  });
});

describe('port open', () => {
  const open = findChange('port open');

  test('requires the protocol, which is one of the two', () => {
    const parse = (protocol?: string) =>
      parseInput(open, { vps: 'VPS-10001', port: '25', ...(protocol && { protocol }) }).kind === 'valid';
    expect([parse('tcp'), parse('HTTP'), parse('udp'), parse()]).toEqual([true, true, false, false]);
  });

  test('asks before it opens the port of a database', () => {
    expect(requiresConfirmation(open, { port: 5432 })).toBe(true);
    expect(findWarning(open, { port: 5432 }, { facts: [], nowMs: 0 })).toMatch(/^PostgreSQL/);
    expect(requiresConfirmation(open, { port: 8080 })).toBe(false);
  });

  test('shows the address to connect to if the response has the host', () => {
    const { facts } = open.outcome(
      { ...port, host: 'gate.example' },
      { vps: 'VPS-10005', protocol: 'tcp', port: 25 },
    );
    expect(facts).toEqual([{ label: 'Connect to', value: { kind: 'code', code: 'gate.example:45020' } }]);
  });

  test.each([
    ['in the answer itself', port],
    ['in a field of it', { dedicated_port: port }],
  ])('shows the external port, which the response has %s', (_, data) => {
    const input = { vps: 'VPS-10005', protocol: 'tcp', port: 5432 };
    const outcome = open.outcome(data, input);
    expect(outcome.title).toBe('Port 45020 forwards to port 5432 on VPS-10005 (TCP)');
    expect(outcome.next).toContainEqual({
      label: 'Close Port',
      operation: 'port close',
      input: { port: '45020' },
    });
  });
});
