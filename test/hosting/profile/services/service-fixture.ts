import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { unwrapPayload } from '../../../../src/hosting/profile/payload/unwrap-payload.ts';
import type { ReadingEndpoint } from '../../../../src/hosting/profile/readings/reading.ts';
import type { ReadingValue } from '../../../../src/hosting/profile/service/facts.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar), z.record(z.string(), scalar)]);

const fact = z.strictObject({
  /** The value that a person finds in the payload. */
  value,
  /** Another value that a person could find there and that is just as true. */
  or: value.optional(),
  /** The name of the field that contains the fact. */
  field: z.string(),
  /** The largest relative error, for a number that is rounded. */
  tolerance: z.number().optional(),
});

const fixture = z.strictObject({
  service: z.string(),
  /** The public document that describes the payload's shape. `own` means that we made the shape up. */
  source: z.string(),
  vps: z.string(),
  payloads: z.record(
    z.string(),
    // The hosting client unwraps payloads when it reads them.
    z.strictObject({ success: z.literal(true), data: z.unknown().transform((data) => unwrapPayload(data)) }),
  ),
  facts: z.record(z.string(), fact),
});

export interface Fact {
  readonly value: ReadingValue;
  readonly or?: ReadingValue | undefined;
  readonly field: string;
  readonly tolerance?: number | undefined;
}

/** Payloads in the shape that one hosting service uses, with the facts that a person finds in them. */
export interface ServiceFixture {
  /** The name of the file without its extension. */
  readonly id: string;
  readonly service: string;
  readonly source: string;
  readonly vps: string;
  readonly payloads: Readonly<Partial<Record<ReadingEndpoint, { readonly data: unknown }>>>;
  readonly facts: Readonly<Record<string, Fact>>;
}

const folder = `${import.meta.dirname}/payloads`;

/** Reads the fixtures in the folder `payloads`, sorted by file name. */
export function loadServiceFixtures(): readonly ServiceFixture[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => ({
      id: file.replace(/\.json$/, ''),
      ...fixture.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))),
    }));
}
