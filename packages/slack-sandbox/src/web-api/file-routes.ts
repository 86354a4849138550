import { type Context, Hono } from 'hono';
import { findAppOfToken } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import { findTokenExpiry } from '../workspace/token-rotation.ts';
import { drawAvatar } from './objects/avatar.ts';

/** Serves the endpoints for files that don't belong to the Web API: uploads, downloads and avatars. */
export function fileRoutes(core: Core): Hono {
  return (
    new Hono()
      .on(['POST', 'PUT'], '/upload/v1/:ticket', async (c) => {
        const file = core
          .workspaces()
          .map(({ files }) => files.findByTicket(c.req.param('ticket')))
          .find((found) => found !== undefined);
        if (!file || file.bytes) return c.text('Not found', 404);
        const bytes = await readUpload(c.req.raw);
        if (bytes.length !== file.sizeBytes) {
          return c.text(`Expected ${file.sizeBytes} bytes and got ${bytes.length}`, 400);
        }
        file.bytes = bytes;
        return c.text(`OK - ${bytes.length}`);
      })
      // A thumbnail is the image itself, which the reader scales.
      .on('GET', ['/files-pri/:file/*', '/files-tmb/:file/*'], (c) => {
        const id = c.req.param('file').split('-').at(-1) ?? '';
        return serveFile(core, c, id);
      })
      .get('/avatars/:name', (c) => {
        const image = drawAvatar(c.req.param('name'));
        if (!image) return c.text('Not found', 404);
        return new Response(new Uint8Array(image), { headers: { 'content-type': 'image/png' } });
      })
      .get('/files/:id', (c) => serveFile(core, c, c.req.param('id')))
  );
}

/**
 * Responds with a file's bytes if the token is permitted to read it. The workspace's page can
 * always read files, because people are signed in there.
 */
function serveFile(core: Core, c: Context, id: string): Response {
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const isPage = c.req.header('sec-fetch-site') === 'same-origin';
  const caller = token === undefined ? undefined : findAppOfToken(core.apps(), token);
  const { workspaces, manifest } = caller ?? core;
  const owner = workspaces().find(({ files }) => files.findById(id));
  const hasToken = owner !== undefined && (findTokenExpiry(owner, token) ?? 0) > core.clock.now();
  const isAllowed = isPage || (hasToken && manifest.scopes.has('files:read'));
  const file = owner?.files.findById(id);
  return file && isAllowed ? toFileResponse(file) : c.text('Not found', 404);
}

function toFileResponse(file: StoredFile): Response {
  if (file.isDeleted || !file.bytes) return new Response('Not found', { status: 404 });
  const type = file.type?.mimetype ?? 'application/octet-stream';
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    },
  });
}

/** Reads an uploaded file. Slack accepts the bytes as the body, or as the only file in a multipart form. */
async function readUpload(request: Request): Promise<Uint8Array> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) {
    return new Uint8Array(await request.arrayBuffer());
  }
  const form = await request.formData();
  for (const value of form.values()) {
    if (value instanceof File) return new Uint8Array(await value.arrayBuffer());
  }
  return new Uint8Array();
}
