import { writeFileSync } from 'node:fs';
import { readHostingConfig } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { formatList } from '../../src/format-list.ts';
import { createHostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createTransport } from '../../src/hosting/client/transport.ts';
import { allReadings, findReading, payloadNames } from '../../src/hosting/profile/readings/all-readings.ts';
import type { Correction } from '../../src/hosting/profile/readings/correction.ts';
import type { ReadingEndpoint } from '../../src/hosting/profile/readings/reading.ts';
import { correctPayload } from '../../src/hosting/profile/service/correct-payload.ts';
import { readFacts } from '../../src/hosting/profile/service/facts.ts';
import { type FoundReading, inferProfile } from '../../src/hosting/profile/service/infer.ts';
import { formatProfileFile } from '../../src/hosting/profile/service/profile-file.ts';
import { createRateLimiter, defaultQuotaLimit } from '../../src/hosting/quota/rate-limiter.ts';
import { sampleService, toReadingCall } from '../../src/workspaces/service-profile/sample-service.ts';

interface Payload {
  readonly endpoint: ReadingEndpoint;
  readonly vpsName: string;
  readonly data: unknown;
}

/** Prints where the service's readings are, and writes them to a profile file if one is named. */
export async function examineService(file: string | undefined): Promise<void> {
  const { settings, apiKey, profile } = readHostingConfig(process.env);
  if (!apiKey) throw new RackhandError('setting_invalid', 'HOSTING_API_KEY is missing.');
  const { payloads, failed } = await readPayloads(settings, apiKey);
  if (payloads.length === 0) throw new RackhandError('service_failed', 'No payload could be read.');
  if (failed.length > 0) console.log(`The service didn't return ${formatList(failed, 'and')}.\n`);
  if (profile) checkProfile(payloads, profile);
  const findings = payloads.flatMap(
    ({ endpoint, data, vpsName }) => inferProfile(endpoint, data, vpsName).findings,
  );
  printFindings(findings);
  if (file === undefined) return;
  writeFileSync(file, formatProfileFile(findings));
  console.log(`\nWritten to ${file}. Correct it, and set HOSTING_PROFILE=${file}.`);
}

/** Reads one payload of each kind. Returns them, and the names of those that couldn't be read. */
export async function readPayloads(
  settings: ReturnType<typeof readHostingConfig>['settings'],
  apiKey: string,
): Promise<{ readonly payloads: readonly Payload[]; readonly failed: readonly string[] }> {
  const transport = createTransport();
  const rateLimiter = await createRateLimiter({ callTimeoutMs: transport.limits.callTimeoutMs });
  const key = { apiKey, fingerprint: 'doctor', limit: defaultQuotaLimit };
  const client = createHostingClient(settings, key, { transport, rateLimiter });
  const payloads: Payload[] = [];
  try {
    const failed = await sampleService(async (name, vpsName) => {
      const { endpoint, input } = toReadingCall(name, vpsName);
      const data: unknown = await client.call(endpoint, input, { lane: 'people' });
      payloads.push({ endpoint: name, vpsName, data });
      return data;
    });
    return { payloads, failed: failed.map((endpoint) => payloadNames[endpoint]) };
  } finally {
    await rateLimiter.close();
    await transport.close();
  }
}

/** Says which readings of a profile the service doesn't have. */
function checkProfile(payloads: readonly Payload[], profile: readonly Correction[]): void {
  const { missing, unreadable } = findProfileProblems(payloads, profile);
  for (const reading of missing) console.log(`${reading}: its field is not in the payload.`);
  for (const reading of unreadable) console.log(`${reading}: it can't be read from its field.`);
  if (missing.length + unreadable.length > 0) process.exitCode = 1;
}

/** Returns the readings of a profile whose field isn't in the payload, or can't be read. */
export function findProfileProblems(payloads: readonly Payload[], profile: readonly Correction[]) {
  const [missing, unreadable]: [string[], string[]] = [[], []];
  for (const { endpoint, data, vpsName } of payloads) {
    const wanted = profile.filter(({ field }) => field !== '');
    const own = wanted.filter(({ reading }) => findReading(reading)?.endpoint === endpoint);
    const { data: corrected, missing: absent } = correctPayload(endpoint, data, own, vpsName);
    const facts = readFacts(endpoint, corrected, vpsName);
    missing.push(...absent);
    for (const { reading } of own)
      if (!facts.has(reading) && !absent.includes(reading)) unreadable.push(reading);
  }
  return { missing, unreadable };
}

function printFindings(findings: readonly FoundReading[]): void {
  const found = new Map(findings.map((finding) => [finding.reading, finding]));
  for (const { id, isSecret } of allReadings) {
    const finding = found.get(id);
    const fields = finding?.fields.join(' and ') || 'names of entries';
    const example = isSecret ? 'hidden' : finding?.example;
    console.log(
      finding
        ? `${id.padEnd(24)} ${fields.padEnd(40)} ${example}${finding.isCertain ? '' : ' (likely)'}`
        : `${id.padEnd(24)} not found`,
    );
  }
  console.log(`\n${found.size} of ${allReadings.length} readings are found.`);
}
