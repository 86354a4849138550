import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { contract } from '../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import type { FieldMapping } from '../../hosting/payloads/field-mapping.ts';
import {
  describeShape,
  findMappings,
  type MappedPayload,
  mapPayload,
} from '../../hosting/payloads/found-mappings.ts';
import { listKnownValues, type PayloadEndpoint, payloadNames } from '../../hosting/payloads/known-values.ts';
import { findPagesRead, setPagesRead } from '../../hosting/payloads/pages.ts';
import type { MapPayload } from '../hosting-clients.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

interface ServiceProfileDependencies {
  readonly store: ServiceProfileStore;
  /**
   * The mappings in the file that HOSTING_PROFILE names. They replace learning and the admins'
   * mappings.
   */
  readonly fileMappings?: readonly FieldMapping[] | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

/** Learns which fields of a service's payloads are known values, and applies the admins' mappings. */
export interface ServiceProfile {
  /** Learns from a payload and returns it with the mappings applied. */
  readonly mapPayload: MapPayload;
}

/** Minimum time between learning two shapes of an endpoint's payloads. */
const relearnMs = 600_000;
/**
 * Maximum number of shapes for each endpoint of a workspace. There can be several: the payload of a
 * stopped VPS, for example, has another shape than that of a running one.
 */
const maxShapes = 20;
/** How many fields are stored for each endpoint. */
const maxFields = 300;

const payloadEndpoints = new Map<Endpoint, PayloadEndpoint>([
  ...(Object.keys(payloadNames) as PayloadEndpoint[]).map((name) => [contract[name], name] as const),
  // Addresses of both kinds have the same values.
  [contract.listIpv6Addresses, 'listIpv4Addresses'],
]);

export function createServiceProfile(dependencies: ServiceProfileDependencies): ServiceProfile {
  const { store, fileMappings, log, now = Date.now } = dependencies;
  const learned = new LRUCache<string, { readonly shapes: Set<string>; nextMs: number }>({ max: 5_000 });
  /** Mapped payloads by the original, because a cached list can have 10,000 VPS. */
  const mapped = new WeakMap<object, MappedPayload & { readonly key: string }>();

  /** Learns from a payload if its shape is new. Fields and mappings of other shapes are kept. */
  async function learn(teamId: string, endpoint: PayloadEndpoint, data: unknown, vpsName: string) {
    const key = `${teamId} ${endpoint}`;
    const { shapes, nextMs } = learned.get(key) ?? { shapes: new Set<string>(), nextMs: 0 };
    const shape = describeShape(data);
    if (shape === '' || shapes.has(shape) || shapes.size >= maxShapes || now() < nextMs) return;
    learned.set(key, { shapes: shapes.add(shape), nextMs: now() + (shapes.size > 1 ? relearnMs : 0) });
    const { mappings, fields } = findMappings(endpoint, data, vpsName);
    const before = await store.findPayload(teamId, endpoint);
    const isNewField = new Set(fields.map(({ field }) => field));
    const isNewValue = new Set(mappings.map(({ value }) => value));
    // An old mapping is dropped if the payload has its field, but this version no longer uses it.
    const isKept = (mapping: (typeof mappings)[number]) =>
      !isNewValue.has(mapping.value) && !mapping.fields.some((field) => isNewField.has(field));
    const otherFields = (before?.fields ?? []).filter(({ field }) => !isNewField.has(field));
    await store.savePayload(teamId, {
      endpoint,
      mappings: [...mappings, ...(before?.mappings ?? []).filter(isKept)],
      fields: [...fields, ...otherFields].slice(0, maxFields),
      learnedMs: now(),
    });
  }

  /** Applies a workspace's mappings. Also stores which of their fields are missing. */
  async function applyMappings(teamId: string, endpoint: PayloadEndpoint, data: unknown, vpsName: string) {
    const ids = new Set(listKnownValues(endpoint).map(({ id }) => id));
    const stored = fileMappings
      ? []
      : (await store.listMappings(teamId)).filter(({ value }) => ids.has(value));
    const own = fileMappings?.filter(({ value }) => ids.has(value)) ?? stored;
    if (own.length === 0 || typeof data !== 'object' || data === null) return data;
    const key = JSON.stringify([vpsName, own.map(({ value, field, unit }) => [value, field, unit])]);
    const before = mapped.get(data);
    const result = before?.key === key ? before : { key, ...mapPayload(endpoint, data, own, vpsName) };
    mapped.set(data, result);
    const pages = findPagesRead(data);
    if (pages) setPagesRead(result.data, pages);
    const isEmptyPayload = describeShape(data) === '';
    for (const { value, missingSinceMs } of stored) {
      const isMissing = result.missing.includes(value);
      if (isEmptyPayload || isMissing === (missingSinceMs !== null)) continue;
      await store.setMissing(teamId, value, isMissing ? now() : null);
    }
    return result.data;
  }

  async function process(teamId: string, endpoint: PayloadEndpoint, data: unknown, vpsName: string) {
    if (!fileMappings) {
      await learn(teamId, endpoint, data, vpsName).catch((error: unknown) =>
        log.warn({ err: error, teamId, endpoint }, 'a payload of the hosting service could not be learned'),
      );
    }
    return applyMappings(teamId, endpoint, data, vpsName);
  }

  return {
    async mapPayload(teamId, endpoint, input, data) {
      const name = payloadEndpoints.get(endpoint);
      if (name === undefined) return data;
      const { params = {} } = input;
      const vpsName = 'vps_name' in params ? String(params.vps_name) : '';
      return (await process(teamId, name, data, vpsName)) as typeof data;
    },
  };
}
