import {
  defaultTransportLimits,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from '../../../src/hosting/client/transport.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import type { Random } from '../machine/random.ts';
import type { Gate } from '../machine/shared-database.ts';
import type { VirtualTime } from '../machine/virtual-time.ts';
import { createServiceSnapshots, type ServiceSnapshots } from './service-snapshots.ts';

/** How the service, or the way to it, fails a call. */
type Fault = 'unreachable' | 'reset' | 'timeout' | 'malformed' | 'status:500' | 'status:409' | 'status:429';

const faults: readonly Fault[] = [
  'unreachable',
  'reset',
  'timeout',
  'malformed',
  'status:500',
  'status:409',
  'status:429',
];

/** A call that arrived at the service. */
export interface Arrival {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly fault: Fault | undefined;
  readonly processName: string;
}

/** Faults after which nobody can know whether the call took effect. */
export const ambiguousFaults: ReadonlySet<Fault | undefined> = new Set<Fault>([
  'reset',
  'timeout',
  'malformed',
]);

/** The fleet. */
export const vpsNames = Array.from({ length: 20 }, (_, index) => `VPS-${10_001 + index}`);

const status = {
  version: '1',
  service: 'simulated',
  timestamp: '',
  permissions: ['vps.read', 'vps.manage'],
};

/** How long a VPS reboots. */
const rebootMs = 12_000;

/** A hosting service in memory. Every VPS exists. It logs every call that arrives. */
export interface HostingService {
  readonly arrivals: readonly Arrival[];
  readonly snapshots: Pick<ServiceSnapshots, 'hasComplete'>;
  /** The share of calls that fail. */
  faultRate: number;
  /** Changes the state of a VPS without Rackhand. */
  toggle(vps: string): void;
  connect(processName: string, gate: Gate): Transport;
}

export function createHostingService(time: VirtualTime, random: Random): HostingService {
  const arrivals: Arrival[] = [];
  const rebootedAtMs = new Map<string, number>();
  const stopped = new Set<string>();
  const snapshots = createServiceSnapshots(time, random);

  function stateOf(vps: string): string {
    if (time.now() < (rebootedAtMs.get(vps) ?? -rebootMs) + rebootMs) return 'rebooting';
    return stopped.has(vps) ? 'stopped' : 'running';
  }

  function answer({ method, url, body = '{}' }: HttpRequest): unknown {
    const [, , resource, vps, part, name] = url.pathname.split('/');
    if (resource === undefined) return status;
    if (vps === undefined) return { vps: vpsNames.map(describe) };
    if (part === 'snapshots' && name === undefined)
      return method === 'POST'
        ? snapshots.take(vps, JSON.parse(body).name)
        : { snapshots: snapshots.list(vps) };
    if (method === 'POST') {
      // A restore takes as long as a reboot.
      rebootedAtMs.set(vps, time.now());
      return { vps_name: vps, state: 'rebooting' };
    }
    return describe(vps);
  }

  const describe = (vps: string) => ({
    vps_name: vps,
    hostname: `${vps.toLowerCase()}.example`,
    state: stateOf(vps),
  });

  async function respond(request: HttpRequest, fault: Fault | undefined): Promise<HttpResponse> {
    const isApplied = fault === undefined || ambiguousFaults.has(fault);
    const data = isApplied ? answer(request) : undefined;
    const isSlow = random.chance(0.1);
    await time.sleep(
      fault === 'timeout' ? defaultTransportLimits.callTimeoutMs : random.between(1, isSlow ? 5_000 : 40),
    );
    if (fault === 'timeout') throw new HostingError('service_timeout', 'timeout', { sendState: 'unknown' });
    if (fault === 'reset')
      throw new HostingError('service_connection_lost', 'reset', { sendState: 'unknown' });
    if (fault === 'malformed') return { status: 200, headers: {}, body: '<html>' };
    if (isApplied) return { status: 200, headers: {}, body: JSON.stringify({ success: true, data }) };
    const error = { code: 'refused', message: 'Not now.' };
    return {
      status: Number(fault?.split(':')[1]),
      headers: fault === 'status:429' ? { 'retry-after': '3' } : {},
      body: JSON.stringify({ success: false, error }),
    };
  }

  const service: HostingService = {
    arrivals,
    snapshots,
    faultRate: 0,
    toggle: (vps) => void (stopped.has(vps) ? stopped.delete(vps) : stopped.add(vps)),
    connect: (processName, gate) => ({
      limits: defaultTransportLimits,
      async send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
        const { method, url, headers } = request;
        await gate('before a call');
        // Like undici, which doesn't write a call that was aborted.
        signal?.throwIfAborted();
        const fault = random.chance(service.faultRate) ? random.pick(faults) : undefined;
        if (fault === 'unreachable')
          throw new HostingError('service_unreachable', 'unreachable', { sendState: 'not-sent' });
        // The call travels on even if its process has crashed or is frozen.
        const response = time.outside(async () => {
          await time.sleep(random.between(1, 40));
          arrivals.push({
            atMs: time.now(),
            method,
            path: url.pathname,
            key: headers.authorization ?? '',
            fault,
            processName,
          });
          return respond(request, fault);
        });
        // Prevents a warning if the process has stopped waiting.
        response.catch(() => {});
        try {
          return await Promise.race([response, aborted(signal)]);
        } finally {
          await gate('after a call');
        }
      },
      close: async () => {},
    }),
  };
  return service;
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
