import { z } from 'zod';

/** Longest part after `VPS-` that is taken for a name; the API document shows five characters and no limit. */
const maxReferenceChars = 40;

/** Without flags, which a JSON Schema could not carry. */
const vpsNamePattern = new RegExp(`^[Vv][Pp][Ss]-[A-Za-z0-9][A-Za-z0-9_-]{0,${maxReferenceChars - 1}}$`);

/** A VPS reference, `VPS-XXXXX`: the prefix is accepted in any case and comes out in upper case; the rest keeps its case. */
export const vpsName = z
  .string()
  .regex(vpsNamePattern, 'A VPS name looks like VPS-10001')
  .overwrite((name) => `VPS-${name.slice('VPS-'.length)}`);

/** A TCP port, 1 to 65535 inclusive. */
export const tcpPort = z.int().min(1).max(65535);

/** An address range written as address and prefix length, such as `10.0.0.0/24`. */
export const cidr = z.union([z.cidrv4(), z.cidrv6()]);

/** Periods that a monitoring history can be asked for. */
export const rrdRanges = ['hour', 'day', 'week', 'month'] as const;

/** Range of the external ports that the service assigns, inclusive; from the API document's part "Limits". */
export const externalPorts = { min: 30_000, max: 60_000 } as const;

/** Balancing modes that the API document uses; it does not say that they are all. */
export const loadBalancerModes = ['roundrobin', 'leastconn'] as const;

/** Kinds of stickiness that the API document uses; it does not say that they are all. */
export const stickyModes = ['cookie', 'source'] as const;

/** A VPS behind a load balancer. */
export const backend = z.object({
  vps_name: vpsName,
  target_port: tcpPort,
  weight: z.int().nonnegative().optional(),
  is_backup: z.boolean().optional(),
});

export type Backend = z.infer<typeof backend>;
