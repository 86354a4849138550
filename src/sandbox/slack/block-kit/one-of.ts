import { z } from 'zod';
import type { Surface } from './surfaces.ts';

/** A schema of one block or element, known by its `type`. */
export type Kind = z.core.$ZodTypeDiscriminable;

/** A schema of any of the kinds that may stand on a surface; every other `type` is refused as unsupported. */
export function oneOf<Name extends string>(
  kinds: Readonly<Record<Name, Kind>>,
  availability: Readonly<Record<NoInfer<Name>, readonly Surface[]>>,
  surface: Surface,
) {
  const names = Object.keys(kinds) as Name[];
  const [first, ...rest] = names
    .filter((name) => availability[name].includes(surface))
    .map((name) => kinds[name]);
  return first ? z.discriminatedUnion('type', [first, ...rest]) : z.never();
}
