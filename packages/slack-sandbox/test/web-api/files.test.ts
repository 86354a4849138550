import { describe, expect, test } from 'vitest';
import { drawAvatar } from '../../src/web-api/objects/avatar.ts';
import { readImageSize } from '../../src/workspace/files/image-size.ts';
import { type Sandbox, startSandbox, tokens } from '../harness.ts';
import { startApp } from '../start-app.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(sandbox: Sandbox, filename = 'chart.png', bytes: Buffer = png): Promise<string> {
  const { files } = sandbox.client();
  const { upload_url = '', file_id = '' } = await files.getUploadURLExternal({
    filename,
    length: bytes.length,
  });
  const sent = await fetch(upload_url, { method: 'POST', body: new Uint8Array(bytes) });
  expect(await sent.text()).toBe(`OK - ${bytes.length}`);
  return file_id;
}

const imageOf = (id: string) => ({ type: 'image' as const, alt_text: 'A chart', slack_file: { id } });

test('an uploaded image is processed a moment later, and only then can an image block show it', async () => {
  const sandbox = await startSandbox();
  const { files, chat } = sandbox.client();
  const id = await upload(sandbox);
  const post = () => chat.postMessage({ channel: 'C0OPS', text: 'Chart', blocks: [imageOf(id)] });

  await files.completeUploadExternal({ files: [{ id, title: 'CPU' }] });
  expect((await files.info({ file: id })).file).toMatchObject({
    mimetype: '',
    title: 'CPU',
    size: png.length,
  });
  await expect(post()).rejects.toMatchObject({
    data: {
      error: 'invalid_blocks',
      response_metadata: { messages: ['[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]'] },
    },
  });

  await sandbox.advance(1000);
  expect((await files.info({ file: id })).file).toMatchObject({ mimetype: 'image/png', filetype: 'png' });
  await expect(post()).resolves.toMatchObject({ ok: true });
});

test('filesUploadV2 shares into a thread once the file is processed', async () => {
  const sandbox = await startSandbox();
  const client = sandbox.client();
  const { ts: thread_ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'Report' });
  const share = { channel_id: 'C0OPS', thread_ts, initial_comment: 'The chart' };
  await client.filesUploadV2({ file: png, filename: 'chart.png', title: 'CPU', ...share });
  expect(await sandbox.messages('C0OPS', 'U0BOB')).toHaveLength(1);
  await sandbox.advance(1000);
  const [, reply] = await sandbox.messages('C0OPS', 'U0BOB');
  expect(reply).toMatchObject({
    text: 'The chart',
    thread_ts,
    files: [{ title: 'CPU', mimetype: 'image/png' }],
  });
});

test('an image has its size and thumbnails, larger ones only if it is larger', async () => {
  const sandbox = await startSandbox();
  const { files } = sandbox.client();
  const infoOf = async (bytes: Buffer) => {
    const id = await upload(sandbox, 'chart.v2.png', bytes);
    await files.completeUploadExternal({ files: [{ id }] });
    await sandbox.advance(1000);
    return (await files.info({ file: id })).file ?? {};
  };
  const thumbnailsOf = (file: object) => Object.keys(file).filter((name) => /^thumb_\d+$/.test(name));
  const smallest = ['thumb_64', 'thumb_80', 'thumb_160', 'thumb_360'];

  const small = await infoOf(png);
  expect(small).toMatchObject({ original_w: 1, original_h: 1, thumb_360_w: 1, thumb_360_h: 1 });
  expect(thumbnailsOf(small)).toEqual(smallest);

  const large = Buffer.from(drawAvatar('A0-900.png') ?? []);
  const info = await infoOf(large);
  expect(info).toMatchObject({ original_w: 900, thumb_360_w: 360, thumb_360_h: 360, thumb_800_w: 800 });
  expect(thumbnailsOf(info)).toEqual([...smallest, 'thumb_480', 'thumb_720', 'thumb_800']);
  const url = info.thumb_480 ?? '';
  expect(url).toMatch(/\/files-tmb\/T0ACME-F\w+\/chart\.v2_480\.png$/);
  expect((await fetch(url)).status).toBe(404);
  const loaded = await fetch(url, { headers: { authorization: `Bearer ${tokens.acme}` } });
  expect(Buffer.from(await loaded.arrayBuffer())).toEqual(large);

  const text = await infoOf(Buffer.from('no image'));
  expect(thumbnailsOf(text)).toEqual([]);
  expect(text).not.toHaveProperty('original_w');
});

test('the size of an image is read from a PNG, a GIF or a JPEG, and from nothing else', () => {
  const jpeg = Buffer.from('ffd8ffe000040000ffc2000b080078010003012200', 'hex');
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('b000e200', 'hex')]);
  expect(readImageSize(png)).toEqual({ width: 1, height: 1 });
  expect(readImageSize(gif)).toEqual({ width: 176, height: 226 });
  expect(readImageSize(jpeg)).toEqual({ width: 256, height: 120 });
  for (const bytes of [jpeg, gif, png]) {
    for (let end = 0; end < bytes.length; end += 1)
      expect(() => readImageSize(bytes.subarray(0, end))).not.toThrow();
  }
  expect(readImageSize(Buffer.from('GIF'))).toBeUndefined();
  expect(readImageSize(Buffer.from('<svg width="2" height="2"/>'))).toBeUndefined();
});

test('a file that is not an image cannot be shown as one, whatever its name', async () => {
  const sandbox = await startSandbox();
  const { files, chat } = sandbox.client();
  const id = await upload(sandbox, 'fake.png', Buffer.from('<svg/>'));
  await files.completeUploadExternal({ files: [{ id }] });
  await sandbox.advance(1000);
  expect((await files.info({ file: id })).file?.mimetype).toBe('application/octet-stream');
  const posted = chat.postMessage({ channel: 'C0OPS', text: 'Chart', blocks: [imageOf(id)] });
  await expect(posted).rejects.toThrow('invalid_blocks');
});

test('the bytes are available to the token and the page only', async () => {
  const sandbox = await startSandbox();
  const { files } = sandbox.client();
  const id = await upload(sandbox);
  await files.completeUploadExternal({ files: [{ id }] });
  await sandbox.advance(1000);
  const { file } = await files.info({ file: id });
  const get = async (headers: Record<string, string>) =>
    (await fetch(file?.url_private ?? '', { headers })).status;
  expect(await get({ authorization: `Bearer ${tokens.acme}` })).toBe(200);
  expect(await get({ authorization: `Bearer ${tokens.globex}` })).toBe(404);
  expect(await get({})).toBe(404);
  const onPage = await fetch(`${sandbox.url}/files/${id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(Buffer.from(await onPage.arrayBuffer())).toEqual(png);
});

test('the file says where it is shared', async () => {
  const sandbox = await startSandbox();
  const { files, chat } = sandbox.client();
  const id = await upload(sandbox);
  await files.completeUploadExternal({ files: [{ id }], channel_id: 'C0OPS' });
  await sandbox.advance(1000);
  const [share] = (await files.info({ file: id })).file?.shares?.public?.C0OPS ?? [];
  await chat.postMessage({ channel: 'C0OPS', text: 'Nice', thread_ts: share?.ts ?? '' });
  expect((await files.info({ file: id })).file?.shares).toEqual({
    public: {
      C0OPS: [
        {
          ...{ ts: expect.any(String), channel_name: 'ops', team_id: 'T0ACME', share_user_id: 'U0APPACME' },
          ...{ reply_count: 1, reply_users: ['U0APPACME'], reply_users_count: 1 },
        },
      ],
    },
  });
});

describe('an invalid request is rejected:', () => {
  test('an upload with another length, or without its bytes', async () => {
    const sandbox = await startSandbox();
    const { files } = sandbox.client();
    const { upload_url = '', file_id: id = '' } = await files.getUploadURLExternal({
      filename: 'a.txt',
      length: 5,
    });
    expect((await fetch(upload_url, { method: 'PUT', body: 'four' })).status).toBe(400);
    await expect(files.completeUploadExternal({ files: [{ id }] })).rejects.toThrow('file_not_found');
    expect((await fetch(upload_url, { method: 'PUT', body: 'fives' })).status).toBe(200);
    await expect(files.info({ file: id })).rejects.toThrow('file_not_found');
    await expect(files.completeUploadExternal({ files: [{ id }] })).resolves.toMatchObject({ ok: true });
    await expect(files.completeUploadExternal({ files: [{ id }] })).rejects.toThrow('file_not_found');
  });

  test('a file without a length, or in a channel without the app', async () => {
    const sandbox = await startSandbox();
    const { files } = sandbox.client();
    await expect(files.getUploadURLExternal({ filename: 'a.txt', length: 0 })).rejects.toThrow(
      'missing_argument',
    );
    const id = await upload(sandbox);
    const shared = files.completeUploadExternal({ files: [{ id }], channel_id: 'C0QUIET' });
    await expect(shared).rejects.toThrow('not_in_channel');
  });

  test('a deleted file', async () => {
    const sandbox = await startSandbox();
    const { files, chat } = sandbox.client();
    const id = await upload(sandbox);
    await files.completeUploadExternal({ files: [{ id }] });
    await sandbox.advance(1000);
    await files.delete({ file: id });
    await expect(files.info({ file: id })).rejects.toThrow('file_deleted');
    const posted = chat.postMessage({ channel: 'C0OPS', text: 'Chart', blocks: [imageOf(id)] });
    await expect(posted).rejects.toThrow('invalid_blocks');
  });
});

test('files of another service are added, shared, changed and removed', async () => {
  const { client, events, outcome } = await startApp({
    scopes: ['remote_files:read', 'remote_files:share', 'remote_files:write'],
    events: ['file_change', 'file_created', 'file_deleted', 'file_shared', 'file_unshared'],
  });
  const facts = { external_id: 'doc-1', external_url: 'https://docs.example/1', title: 'Plan' };
  const { file } = await client.files.remote.add(facts);
  expect(file).toMatchObject({ is_external: true, mode: 'external', external_id: 'doc-1' });
  expect(await outcome('files.remote.add', facts)).toBe('invalid_external_id');
  expect(await outcome('files.remote.add', { ...facts, external_id: '2', title: '' })).toBe('bad_title');
  await client.files.remote.share({ external_id: 'doc-1', channels: 'C0OPS' });
  await client.files.remote.update({ external_id: 'doc-1', title: 'New plan' });
  expect((await client.files.remote.list({ channel: 'C0OPS' })).files).toMatchObject([{ title: 'New plan' }]);
  const { messages } = await client.conversations.history({ channel: 'C0OPS' });
  await client.chat.delete({ channel: 'C0OPS', ts: messages?.[0]?.ts ?? '' });
  await client.files.remote.remove({ file: file?.id ?? '' });
  expect(await outcome('files.remote.info', { external_id: 'doc-1' })).toBe('file_not_found');
  expect(await outcome('files.remote.share', { external_id: 'doc-1', channels: 'C0OPS' })).toBe(
    'file_not_found',
  );
  expect(await outcome('files.remote.info', {})).toBe('invalid_args');
  const both = { file: 'F1', external_id: 'x' };
  expect(await outcome('files.remote.info', both)).toBe('too_many_ids');
  expect(await outcome('files.remote.update', both)).toBe('file_not_found');
  expect(await outcome('files.remote.share', { ...both, channels: 'C0OPS' })).toBe('invalid_args');
  expect((await events()).map(({ type }) => type)).toEqual([
    'file_created',
    'file_shared',
    'file_change',
    'file_unshared',
    'file_deleted',
  ]);
});

test('a person makes a file public, and it is public in a public channel anyway', async () => {
  const { sandbox, alice, client, events } = await startApp({
    scopes: [],
    events: ['file_public'],
    userScopes: ['files:write'],
  });
  const id = await upload(sandbox);
  await client.files.completeUploadExternal({ files: [{ id }], channel_id: 'C0GENERAL' });
  await sandbox.advance(1000);
  const shared = await alice.files.sharedPublicURL({ file: id });
  expect(shared.file).toMatchObject({ public_url_shared: true, permalink_public: expect.any(String) });
  expect((await client.files.revokePublicURL({ file: id })).file).toMatchObject({ public_url_shared: false });
  expect(await events()).toMatchObject([{ file_id: id }, { file_id: id }]);
  await expect(client.files.sharedPublicURL({ file: id })).rejects.toThrow('not_allowed_token_type');
});
