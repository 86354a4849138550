import type { Vps } from '../../hosting/payloads/vps.ts';

type NamedVps = Pick<Vps, 'name' | 'aliases'>;

/** Maximum length of the name in front of the VPS name. Both must fit on a button and in a heading. */
const maxNameChars = 40;

/** Minimum length of a VPS number that makes a hostname redundant if the hostname contains it. */
const minSuffixChars = 4;

const unprintable = /[\p{C}\s]+/gu;

/** Formats a VPS for people: `web-01 (VPS-10001)`, or only its VPS name if it has no other name. */
export function formatVpsLabel(vpsName: string, name: string | undefined): string {
  const line = [...(name ?? '').replace(unprintable, ' ').trim()];
  if (line.length === 0) return vpsName;
  const short = line.length > maxNameChars ? `${line.slice(0, maxNameChars - 1).join('')}…` : line.join('');
  return `${short} (${vpsName})`;
}

/**
 * Returns labels by VPS name. The team's names (`ownAliases`, by VPS name) take precedence over the
 * service's. A hostname is cut to its first part if no other VPS has the same first part.
 */
export function createVpsLabels(
  fleet: readonly NamedVps[],
  ownAliases: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { aliases } of fleet)
    for (const name of aliases.short) counts.set(name, (counts.get(name) ?? 0) + 1);
  const chooseName = ({ name, aliases }: NamedVps) => {
    const telling = aliases.full.find((alias) => !containsSuffix(alias, name));
    const short = aliases.short.find((one) => telling?.startsWith(`${one}.`));
    return ownAliases.get(name) ?? (short !== undefined && counts.get(short) === 1 ? short : telling);
  };
  return new Map(fleet.map((vps) => [vps.name, formatVpsLabel(vps.name, chooseName(vps))]));
}

function containsSuffix(alias: string, vpsName: string): boolean {
  const suffix = vpsName.slice('VPS-'.length).toLowerCase();
  return suffix.length >= minSuffixChars && alias.toLowerCase().includes(suffix);
}
