import { writeFileSync } from 'node:fs';
import { readHostingConfig } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { formatList } from '../../src/format-list.ts';
import { createHostingClient, type HostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createTransport } from '../../src/hosting/client/transport.ts';
import type { FieldMapping } from '../../src/hosting/payloads/field-mapping.ts';
import {
  type FoundMapping,
  findMappings,
  hasField,
  readMappings,
} from '../../src/hosting/payloads/found-mappings.ts';
import {
  findKnownValue,
  knownValues,
  type PayloadEndpoint,
  payloadNames,
} from '../../src/hosting/payloads/known-values.ts';
import { formatMappingFile } from '../../src/hosting/payloads/mapping-file.ts';
import { applyMappings } from '../../src/hosting/payloads/matcher.ts';
import { createRateLimiter, defaultQuotaLimit } from '../../src/hosting/quota/rate-limiter.ts';
import { sampleService, toPayloadCall } from '../../src/workspaces/service-profile/sample-service.ts';

type HostingSettings = ReturnType<typeof readHostingConfig>['settings'];

interface Payload {
  readonly endpoint: PayloadEndpoint;
  readonly vpsName: string;
  readonly data: unknown;
}

/** Prints where the service's values are, and writes them to a profile file if one is named. */
export async function examineService(file: string | undefined): Promise<void> {
  const { settings, apiKey, profile } = readHostingConfig(process.env);
  if (!apiKey) throw new RackhandError('setting_invalid', 'HOSTING_API_KEY is missing.');
  const { payloads, failed } = await readPayloads(settings, apiKey);
  if (payloads.length === 0) throw new RackhandError('service_failed', 'No payload could be read.');
  if (failed.length > 0) console.log(`The service didn't return ${formatList(failed, 'and')}.\n`);
  if (profile) checkProfile(payloads, profile);
  const mappings = payloads.flatMap(
    ({ endpoint, data, vpsName }) => findMappings(endpoint, data, vpsName).mappings,
  );
  printMappings(mappings);
  if (file === undefined) return;
  writeFileSync(file, formatMappingFile(mappings));
  console.log(`\nWritten to ${file}. Correct it, and set HOSTING_PROFILE=${file}.`);
}

/** Reads one payload of each kind. Returns them, and the names of those that couldn't be read. */
export async function readPayloads(
  settings: HostingSettings,
  apiKey: string,
): Promise<{ readonly payloads: readonly Payload[]; readonly failed: readonly string[] }> {
  const payloads: Payload[] = [];
  const failed = await withHostingClient(settings, apiKey, (client) =>
    sampleService(async (name, vpsName) => {
      const { endpoint, input } = toPayloadCall(name, vpsName);
      const data: unknown = await client.call(endpoint, input, { lane: 'people' });
      payloads.push({ endpoint: name, vpsName, data });
      return data;
    }),
  );
  return { payloads, failed: failed.map((endpoint) => payloadNames[endpoint]) };
}

/** Calls the service with a key, within the quota. */
export async function withHostingClient<T>(
  settings: HostingSettings,
  apiKey: string,
  work: (client: HostingClient) => Promise<T>,
): Promise<T> {
  const transport = createTransport();
  const rateLimiter = createRateLimiter({ callTimeoutMs: transport.limits.callTimeoutMs });
  const key = { apiKey, fingerprint: 'doctor', limit: defaultQuotaLimit };
  try {
    return await work(createHostingClient(settings, key, { transport, rateLimiter }));
  } finally {
    await rateLimiter.close();
    await transport.close();
  }
}

/** Says which values of a profile the service doesn't have. */
function checkProfile(payloads: readonly Payload[], profile: readonly FieldMapping[]): void {
  const { missing, unreadable } = findProfileProblems(payloads, profile);
  for (const value of missing) console.log(`${value}: its field is not in the payload.`);
  for (const value of unreadable) console.log(`${value}: it can't be read from its field.`);
  if (missing.length + unreadable.length > 0) process.exitCode = 1;
}

/** Returns the values of a profile whose field isn't in the payload, or can't be read. */
export function findProfileProblems(payloads: readonly Payload[], profile: readonly FieldMapping[]) {
  const [missing, unreadable]: [string[], string[]] = [[], []];
  const wanted = profile.filter(({ field }) => field !== '');
  for (const { endpoint, data, vpsName } of payloads) {
    const own = wanted.filter(({ value }) => findKnownValue(value)?.endpoint === endpoint);
    const read = readMappings(endpoint, applyMappings(data, own), vpsName).map(({ value }) => value);
    for (const { value, field } of own)
      if (!hasField(endpoint, data, field, vpsName)) missing.push(value);
      else if (!read.includes(value)) unreadable.push(value);
  }
  return { missing, unreadable };
}

function printMappings(mappings: readonly FoundMapping[]): void {
  const found = new Map(mappings.map((mapping) => [mapping.value, mapping]));
  for (const { id, isSecret } of knownValues) {
    const mapping = found.get(id);
    const fields = mapping?.fields.join(' and ') || 'names of entries';
    const example = isSecret ? 'hidden' : mapping?.example;
    console.log(
      mapping
        ? `${id.padEnd(24)} ${fields.padEnd(40)} ${example}${mapping.isCertain ? '' : ' (likely)'}`
        : `${id.padEnd(24)} not found`,
    );
  }
  console.log(`\n${found.size} of ${knownValues.length} values were found.`);
}
