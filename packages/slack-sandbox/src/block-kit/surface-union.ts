import { z } from 'zod';
import type { Surface } from './surfaces.ts';

/** A schema for one kind of block or element, which is identified by its `type`. */
export type TypedSchema = z.core.$ZodTypeDiscriminable;

/**
 * Builds the union of the kinds that a surface supports. Any other `type` is rejected as
 * unsupported.
 */
export function unionForSurface<Name extends string>(
  kinds: Readonly<Record<Name, (surface: Surface) => TypedSchema>>,
  availability: Readonly<Record<NoInfer<Name>, readonly Surface[]>>,
  surface: Surface,
) {
  const names = Object.keys(kinds) as Name[];
  const [first, ...rest] = names
    .filter((name) => availability[name].includes(surface))
    .map((name) => kinds[name](surface));
  return first ? z.discriminatedUnion('type', [first, ...rest]) : z.never();
}
