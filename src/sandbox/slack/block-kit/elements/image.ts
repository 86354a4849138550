import { z } from 'zod';
import { imageSource, oneSource } from '../objects.ts';

/** A small image inside another block. */
export const imageElement = z.strictObject({ type: z.literal('image'), ...imageSource }).refine(...oneSource);
