import { describe, expect, test } from 'vitest';
import { startMs, startSandbox, startSocketApp } from '../harness.ts';

const typed = { user: 'U0BOB', channel: 'C0OPS', command: '/vps' };

async function deleteFaults(url: string, team = 'T0ACME') {
  const response = await fetch(`${url}/sandbox/faults?team=${team}`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
  return response.json();
}

describe('the faults', () => {
  test('list which kinds there are and what each can affect', async () => {
    const sandbox = await startSandbox();
    expect(await sandbox.get('faults')).toEqual({
      waiting: [],
      struck: [],
      token_revoked: false,
      now: startMs,
      methods: expect.arrayContaining(['chat.postMessage', 'views.open']),
      block_types: expect.arrayContaining(['data_table', 'section']),
      disconnect_reasons: expect.arrayContaining(['refresh_requested']),
    });
  });

  test('wait for a matching event, and are then listed as triggered', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, (app) => void app.command('/vps', async ({ ack }) => ack()));
    await sandbox.post('faults', { fault: 'duplicate', times: 2 });
    await sandbox.post('faults', { fault: 'ratelimit:chat.update' });
    expect(await sandbox.get('faults')).toMatchObject({
      waiting: [
        { fault: 'duplicate', times: 2 },
        { fault: 'ratelimit:chat.update', times: 1 },
      ],
      struck: [],
    });
    await sandbox.advance(1000);
    await sandbox.post('slash', typed);
    expect(await sandbox.get('faults')).toMatchObject({
      waiting: [
        { fault: 'duplicate', times: 1 },
        { fault: 'ratelimit:chat.update', times: 1 },
      ],
      struck: [{ fault: 'duplicate', at: startMs + 1000 }],
    });
  });

  test('refuse a type of block that the workspace lacks, and not the message without it', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const cells = [{ type: 'raw_text' as const, text: 'web-01' }];
    const blocks = [{ type: 'data_table' as const, caption: 'VPS', rows: [cells, cells] }];
    await sandbox.post('faults', { fault: 'refuse_block:data_table' });
    await chat.postMessage({ channel: 'C0OPS', text: 'without' });
    await expect(chat.postMessage({ channel: 'C0OPS', text: 'with', blocks })).rejects.toThrow(
      'invalid_blocks',
    );
    await chat.postMessage({ channel: 'C0OPS', text: 'with', blocks });
    await expect(sandbox.post('faults', { fault: 'refuse_block:alert' })).rejects.toThrow('type of block');
  });

  test('that trigger immediately are listed, if there was something to affect', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'drop_socket' });
    await sandbox.post('faults', { fault: 'revoke' });
    expect(await sandbox.get('faults')).toMatchObject({ struck: [{ fault: 'revoke' }], token_revoked: true });
  });

  test('that ask a connection to close are listed', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, () => {});
    await sandbox.post('faults', { fault: 'disconnect:warning', times: 3 });
    expect(await sandbox.get('faults')).toMatchObject({
      struck: Array(3).fill({ fault: 'disconnect:warning' }),
    });
  });

  test('belong to one workspace', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'duplicate', team: 'T0GLOBEX' });
    expect(await sandbox.get('faults')).toMatchObject({ waiting: [] });
    await deleteFaults(sandbox.url);
    expect(await sandbox.get('faults', { team: 'T0GLOBEX' })).toMatchObject({
      waiting: [{ fault: 'duplicate' }],
    });
  });

  test('can be cancelled, and then do not trigger', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'ratelimit:chat.postMessage' });
    expect(await deleteFaults(sandbox.url)).toMatchObject({ waiting: [] });
    expect(await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' })).toMatchObject({
      ok: true,
    });
  });

  test('are removed by a reset, which also restores the token', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'duplicate' });
    await sandbox.post('faults', { fault: 'revoke' });
    await sandbox.post('reset');
    expect(await sandbox.get('faults')).toMatchObject({ waiting: [], struck: [], token_revoked: false });
  });
});

test('a workspace can run without a companion service', async () => {
  const sandbox = await startSandbox();
  expect(await sandbox.get('companion')).toEqual({ companion: null });
  await expect(sandbox.get('companion/faults')).rejects.toThrow(
    '404: This workspace runs without a companion service',
  );
});
