import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { contract } from '../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import { findPagesRead, setPagesRead } from '../../hosting/profile/payload/pagination.ts';
import { allReadings, listReadings } from '../../hosting/profile/readings/all-readings.ts';
import type { Correction } from '../../hosting/profile/readings/correction.ts';
import type { ReadingEndpoint } from '../../hosting/profile/readings/reading.ts';
import { type CorrectedPayload, correctPayload } from '../../hosting/profile/service/correct-payload.ts';
import { describeShape, inferProfile } from '../../hosting/profile/service/infer.ts';
import type { CorrectPayload } from '../hosting-clients.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

interface ServiceProfileDependencies {
  readonly store: ServiceProfileStore;
  /**
   * The corrections from the file that HOSTING_PROFILE names. They replace learning and the admins'
   * corrections.
   */
  readonly fileCorrections?: readonly Correction[] | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

interface KnownPayload extends CorrectedPayload {
  /** Identifies the VPS and the corrections that were applied. */
  readonly key: string;
}

/**
 * Learns which fields of a service's payloads are readings, and applies the admins' corrections.
 */
export interface ServiceProfile {
  /** Learns from a payload and returns it with the corrections applied. */
  readonly correctPayload: CorrectPayload;
}

/** Minimum time between learning two shapes of an endpoint's payloads. */
const relearnMs = 600_000;
/** Maximum number of pairs of workspace and endpoint whose shapes are remembered. */
const maxRemembered = 5_000;
/**
 * Maximum number of shapes for each pair. There are several, because for example the payload of a
 * stopped VPS has another shape than that of a running one.
 */
const maxShapes = 20;

const readingEndpoints = new Map<Endpoint, ReadingEndpoint>([
  ...allReadings.map(({ endpoint }) => [contract[endpoint], endpoint] as const),
  // Addresses of both kinds have the same readings.
  [contract.listIpv6Addresses, 'listIpv4Addresses'],
]);

export function createServiceProfile(dependencies: ServiceProfileDependencies): ServiceProfile {
  const { store, fileCorrections, log, now = Date.now } = dependencies;
  const learned = new LRUCache<string, { readonly shapes: Set<string>; nextMs: number }>({
    max: maxRemembered,
  });

  const corrected = new WeakMap<object, KnownPayload>();

  /** Learns from a payload if its shape is new. Fields and findings of other shapes are kept. */
  async function learn(teamId: string, endpoint: ReadingEndpoint, data: unknown, vpsName: string) {
    const key = `${teamId} ${endpoint}`;
    const { shapes, nextMs } = learned.get(key) ?? { shapes: new Set<string>(), nextMs: 0 };
    const shape = describeShape(endpoint, data);
    if (shape === '' || shapes.has(shape) || shapes.size >= maxShapes || now() < nextMs) return;
    learned.set(key, { shapes: shapes.add(shape), nextMs: now() + (shapes.size > 1 ? relearnMs : 0) });
    const { findings, fields } = inferProfile(endpoint, data, vpsName);
    const before = await store.findPayload(teamId, endpoint);
    const isNewField = new Set(fields.map(({ field }) => field));
    const isNewFinding = new Set(findings.map(({ reading }) => reading));
    await store.savePayload(teamId, {
      endpoint,
      findings: [
        ...findings,
        // An old finding is dropped if the payload has its field but this version no longer finds
        // the reading in it.
        ...(before?.findings ?? []).filter(
          (finding) =>
            !isNewFinding.has(finding.reading) && !finding.fields.some((field) => isNewField.has(field)),
        ),
      ],
      fields: [...fields, ...(before?.fields ?? []).filter(({ field }) => !isNewField.has(field))].slice(
        0,
        maxFields,
      ),
      learnedMs: now(),
    });
  }

  /** Applies a workspace's corrections. Also stores which of their fields are missing. */
  async function correct(teamId: string, endpoint: ReadingEndpoint, data: unknown, vpsName: string) {
    const ids = new Set(listReadings(endpoint).map(({ id }) => id));
    const stored = fileCorrections ? [] : await store.listCorrections(teamId);
    const corrections = (fileCorrections ?? stored).filter(({ reading }) => ids.has(reading));
    if (corrections.length === 0) return data;
    const result = correctOnce(endpoint, data, corrections, vpsName);
    const isEmptyPayload = describeShape(endpoint, data) === '';
    for (const { reading, missingSinceMs } of stored) {
      const isMissing = result.missing.includes(reading);
      if (!ids.has(reading) || isEmptyPayload || isMissing === (missingSinceMs !== null)) continue;
      await store.setMissing(teamId, reading, isMissing ? now() : null);
    }
    return result.data;
  }

  /** Corrects a payload, once even if the payload is cached, because a list can have 10,000 VPS. */
  function correctOnce(
    endpoint: ReadingEndpoint,
    data: unknown,
    corrections: readonly Correction[],
    vpsName: string,
  ): KnownPayload {
    const fields = corrections.map(({ reading, field, unit }) => [reading, field, unit]);
    const key = JSON.stringify([vpsName, fields]);
    const known = typeof data === 'object' && data !== null ? corrected.get(data) : undefined;
    if (known?.key === key) return known;
    const payload = {
      key,
      ...correctPayload(endpoint, data, corrections, vpsName),
    };
    const pages = findPagesRead(data);
    if (pages) setPagesRead(payload.data, pages);
    if (typeof data === 'object' && data !== null) corrected.set(data, payload);
    return payload;
  }

  async function process(teamId: string, endpoint: ReadingEndpoint, data: unknown, vpsName: string) {
    if (!fileCorrections) {
      await learn(teamId, endpoint, data, vpsName).catch((error: unknown) =>
        log.warn({ err: error, teamId, endpoint }, 'a payload of the hosting service could not be learned'),
      );
    }
    return correct(teamId, endpoint, data, vpsName);
  }

  return {
    async correctPayload(teamId, endpoint, input, data) {
      const name = readingEndpoints.get(endpoint);
      if (name === undefined) return data;
      return (await process(teamId, name, data, findVpsName(input))) as typeof data;
    },
  };
}

/** How many fields are stored for each endpoint. */
const maxFields = 300;

/** Returns the VPS for which a call is made, or an empty string. */
function findVpsName(input: { readonly params?: object }): string {
  const { params = {} } = input;
  return 'vps_name' in params ? String(params.vps_name) : '';
}
