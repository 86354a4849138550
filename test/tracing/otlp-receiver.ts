import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const attributeValue = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
});

const exportRequest = z.object({
  resourceSpans: z.array(
    z.looseObject({
      scopeSpans: z.array(
        z.looseObject({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              status: z.looseObject({ code: z.number() }),
              attributes: z.array(z.looseObject({ key: z.string(), value: attributeValue })),
            }),
          ),
        }),
      ),
    }),
  ),
});

type ExportRequest = z.infer<typeof exportRequest>;
export type ReceivedSpan = ExportRequest['resourceSpans'][number]['scopeSpans'][number]['spans'][number];

/** Starts a receiver of OTLP over HTTP, with JSON, on a free port of this machine. */
export async function startOtlpReceiver() {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url === '/v1/traces') bodies.push(await json(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    spans: (): readonly ReceivedSpan[] =>
      bodies
        .flatMap((body) => exportRequest.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    /** Everything that was received, as text. */
    text: () => JSON.stringify(bodies),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
