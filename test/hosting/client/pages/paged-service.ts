import type { HostingClient } from '../../../../src/hosting/client/hosting-client.ts';
import { listVps } from '../../../../src/hosting/endpoints/vps.ts';
import { readVpsList } from '../../../../src/hosting/payloads/vps.ts';
import { backgroundCall, createClientHarness } from '../client-harness.ts';
import { respond, startTestHttpServer } from '../test-servers.ts';

export interface PageRequest {
  readonly query: URLSearchParams;
  readonly origin: string;
  /** How many calls the service had received before this one. */
  readonly index: number;
}

export interface PageReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export const fleet = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ vps_name: `VPS-${10_001 + index}`, uptime: Math.random() }));

/** Starts a service whose list of VPS has, by default, 7 entries in pages of 3. */
export async function startPagedService(
  page: (entries: ReturnType<typeof fleet>, request: PageRequest) => PageReply,
  count = 7,
) {
  const all = fleet(count);
  const server = await startTestHttpServer((response, { path, headers }) => {
    const { searchParams } = new URL(path, 'http://service.example');
    const origin = `http://${headers.host}`;
    const {
      status = 200,
      body,
      headers: sent,
    } = page(all, {
      query: searchParams,
      origin,
      index: server.requests.length - 1,
    });
    respond(response, status, body ?? {}, sent);
  });
  return { ...(await createClientHarness(server.url)), server };
}

export const size = 3;

export const pageOf = (all: readonly unknown[], query: URLSearchParams, first = 1) => {
  const start = (Number(query.get('page') ?? first) - first) * size;
  return all.slice(start, start + size);
};
export const pageNumber = (query: URLSearchParams) => Number(query.get('page') ?? 1);
export const offsetOf = (query: URLSearchParams, param = 'offset') => Number(query.get(param) ?? 0);

export async function readNames(
  client: HostingClient,
  options: Parameters<HostingClient['call']>[2] = backgroundCall,
) {
  const { vps, hasMore } = readVpsList(await client.call(listVps, {}, options));
  return { names: vps.map(({ name }) => name), hasMore };
}

export const allNames = fleet(7).map(({ vps_name }) => vps_name);
