import { z } from 'zod';

/** Maximum length after `VPS-`. The API document shows five characters but states no limit. */
const maxSuffixLength = 40;

/** Matches a VPS name. Has no regex flags, since JSON Schema supports none. */
export const vpsNamePattern = new RegExp(`^[Vv][Pp][Ss]-[A-Za-z0-9][A-Za-z0-9_-]{0,${maxSuffixLength - 1}}$`);

/** A VPS name, `VPS-XXXXX`. The prefix is accepted in any case and converted to upper case. */
export const vpsName = z
  .string()
  .regex(vpsNamePattern, 'A VPS name looks like VPS-10001')
  .overwrite((name) => `VPS-${name.slice('VPS-'.length)}`);

/** A TCP port, 1 to 65535 inclusive. */
export const tcpPort = z.int().min(1).max(65535);

export const cidr = z.union([z.cidrv4(), z.cidrv6()]);

export const rrdRanges = ['hour', 'day', 'week', 'month'] as const;

/**
 * Documented text that Rackhand only shows, so unexpected values never fail a call. Numbers become
 * text, and anything else becomes undefined.
 */
export const displayText = z
  .union([z.string().min(1), z.number().transform(String)])
  .optional()
  .catch(undefined);

/** Range of the external ports that the service assigns, inclusive. From the "Limits" section of the API document. */
export const externalPortRange = { min: 30_000, max: 60_000 } as const;

/** Balancing modes in the API document's examples. Others may exist. */
export const loadBalancerModes = ['roundrobin', 'leastconn'] as const;

/** Sticky modes in the API document's examples. Others may exist. */
export const stickyModes = ['cookie', 'source'] as const;

/** A VPS behind a load balancer. */
export const backend = z.object({
  vps_name: vpsName,
  target_port: tcpPort,
  weight: z.int().nonnegative().optional(),
  is_backup: z.boolean().optional(),
});

export type Backend = z.infer<typeof backend>;
