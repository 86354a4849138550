import { z } from 'zod';
import { exactlyOneSource, imageSource } from '../composition-objects.ts';

/** A small image inside another block. */
export const imageElement = z
  .strictObject({ type: z.literal('image'), ...imageSource })
  .refine(...exactlyOneSource);
