import { type Context, Hono } from 'hono';
import type { Core } from '../core.ts';
import type { StoredFile } from '../world/files.ts';

/** Serves what stands beside the Web API: where the bytes of files are sent to, and where they are fetched from. */
export function fileRoutes(core: Core): Hono {
  return new Hono()
    .on(['POST', 'PUT'], '/upload/v1/:ticket', async (c) => {
      const file = core
        .workspaces()
        .map(({ files }) => files.byTicket(c.req.param('ticket')))
        .find((found) => found !== undefined);
      if (!file || file.bytes) return c.text('Not found', 404);
      const bytes = await readBytes(c.req.raw);
      if (bytes.length !== file.sizeBytes) {
        return c.text(`Expected ${file.sizeBytes} bytes and got ${bytes.length}`, 400);
      }
      file.bytes = bytes;
      return c.text(`OK - ${bytes.length}`);
    })
    .get('/files-pri/:file/*', (c) => {
      const id = c.req.param('file').split('-').at(-1) ?? '';
      return bytesFor(core, c, id);
    })
    .get('/files/:id', (c) => bytesFor(core, c, c.req.param('id')));
}

/** Answers a file's bytes to a token that may read it, or to the workspace's own page, where people are signed in. */
function bytesFor(core: Core, c: Context, id: string): Response {
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const isPage = c.req.header('sec-fetch-site') === 'same-origin';
  const owner = core.workspaces().find(({ files }) => files.byId(id));
  const isAllowed = isPage || (owner?.token === token && core.manifest.scopes.has('files:read'));
  const file = owner?.files.byId(id);
  return file && isAllowed ? bytesOf(file) : c.text('Not found', 404);
}

function bytesOf(file: StoredFile): Response {
  if (file.deleted || !file.bytes) return new Response('Not found', { status: 404 });
  const type = file.kind?.mimetype ?? 'application/octet-stream';
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    },
  });
}

/** Slack takes the bytes as the body itself, or as the one file of a multipart form. */
async function readBytes(request: Request): Promise<Uint8Array> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) {
    return new Uint8Array(await request.arrayBuffer());
  }
  const form = await request.formData();
  for (const value of form.values()) {
    if (value instanceof File) return new Uint8Array(await value.arrayBuffer());
  }
  return new Uint8Array();
}
